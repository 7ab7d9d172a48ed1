package io.chargefence.campaign;

import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.saga.ChargeEvent.Via;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Connections that stand still right before the COMMIT of a batch of the log. */
final class BeforeCommit extends DelegatingDataSource {

    private static final ThreadLocal<List<Entry>> BATCH = new ThreadLocal<>();

    private final Barrier barrier;

    BeforeCommit(DataSource dataSource, Barrier barrier) {
        super(dataSource);
        this.barrier = barrier;
    }

    static void of(List<Entry> entries) {
        BATCH.set(entries);
    }

    static void clear() {
        BATCH.remove();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return barred(super.getConnection());
    }

    private Connection barred(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        stand();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private void stand() {
        List<Entry> batch = BATCH.get();
        if (batch != null) {
            barrier.at(Point.C5, BarredPorts.steps(batch, Entry::isClaim));
            barrier.at(Point.C10, BarredPorts.steps(batch, entry -> BarredPorts.stores(entry, Via.ANSWER)));
            barrier.at(Point.C16, BarredPorts.steps(batch, entry -> BarredPorts.stores(entry, Via.OPERATOR)));
        }
    }
}
