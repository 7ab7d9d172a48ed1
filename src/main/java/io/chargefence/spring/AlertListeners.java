package io.chargefence.spring;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeAlertListener;
import io.chargefence.flow.FlowListener;
import io.chargefence.flow.FlowListeners;
import io.chargefence.flow.FlowLog;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/** Log, meters, and the host's own ears for alerts. The flow's listener type is internal, so hosts cannot add one. */
final class AlertListeners {

    private AlertListeners() {}

    static FlowListeners listeners(
            ObjectProvider<MicrometerFlowListener> meters, ObjectProvider<ChargeAlertListener> hosts) {
        List<FlowListener> all = new ArrayList<>();
        all.add(new FlowLog());
        meters.ifAvailable(all::add);
        hosts.orderedStream().map(AlertListeners::forwarding).forEach(all::add);
        return new FlowListeners(all);
    }

    private static FlowListener forwarding(ChargeAlertListener host) {
        return new FlowListener() {
            @Override
            public void alert(ChargeAlert alert) {
                host.onAlert(alert);
            }
        };
    }
}
