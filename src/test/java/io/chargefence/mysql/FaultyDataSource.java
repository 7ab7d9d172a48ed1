package io.chargefence.mysql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A real database whose commits fail as a broken network makes them fail. */
final class FaultyDataSource {

    /** What happens to a commit. */
    enum Fault {
        /** It is done, and the answer is lost. */
        COMMITTED_ANSWER_LOST,
        /** The connection breaks before it arrives. */
        LOST_BEFORE_COMMIT,
        /** The server chose it as a deadlock's victim. */
        DEADLOCK
    }

    private final Fault fault;
    final AtomicInteger left = new AtomicInteger();

    FaultyDataSource(Fault fault) {
        this.fault = fault;
    }

    DataSource around(DataSource real) {
        return new DelegatingDataSource(real) {
            @Override
            public Connection getConnection() throws SQLException {
                return faulty(super.getConnection());
            }
        };
    }

    private Connection faulty(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit") && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                        fail(real);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void fail(Connection real) throws SQLException {
        switch (fault) {
            case COMMITTED_ANSWER_LOST -> {
                real.commit();
                throw new SQLException("communications link failure", "08S01");
            }
            case LOST_BEFORE_COMMIT -> {
                real.rollback();
                throw new SQLException("communications link failure", "08S01");
            }
            case DEADLOCK -> {
                real.rollback();
                throw new SQLException("deadlock", "40001", 1213);
            }
        }
    }
}
