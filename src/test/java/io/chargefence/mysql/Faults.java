package io.chargefence.mysql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source on which commits, statements and connections fail when told to; everything else is real. */
final class Faults extends DelegatingDataSource {

    /** What the next commit does, in turn. */
    final Deque<AtCommit> commits = new ArrayDeque<>();
    /** What the next statement that holds the text does. */
    final Deque<AtStatement> statements = new ArrayDeque<>();

    final AtomicBoolean away = new AtomicBoolean();
    final AtomicInteger connectionsRefused = new AtomicInteger();
    final AtomicInteger commitsSeen = new AtomicInteger();

    enum AtCommit {
        /** The server commits, and its answer is lost. */
        ANSWER_LOST,
        /** The connection breaks before the server hears of it. */
        NEVER_ARRIVED,
        DEADLOCK,
        /** The server commits, its answer is lost, and then it is gone. */
        ANSWER_LOST_AND_AWAY
    }

    record AtStatement(String text, SQLException failure) {}

    Faults(DataSource target) {
        super(target);
    }

    static SQLException connectionLost() {
        return new SQLNonTransientConnectionException("Communications link failure", "08S01", 0);
    }

    static SQLException deadlock() {
        return new SQLException("any text at all", "40001", 1213);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (away.get()) {
            connectionsRefused.incrementAndGet();
            throw connectionLost();
        }
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Faults.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    try {
                        if (method.getName().equals("commit")) {
                            return commit(real);
                        }
                        if (method.getName().equals("prepareStatement")) {
                            failAt((String) args[0]);
                        }
                        return method.invoke(real, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void failAt(String sql) throws SQLException {
        AtStatement next = statements.peek();
        if (next != null && sql.contains(next.text())) {
            throw statements.remove().failure();
        }
    }

    private Object commit(Connection real) throws SQLException {
        commitsSeen.incrementAndGet();
        AtCommit next = commits.poll();
        if (next == null) {
            real.commit();
            return null;
        }
        switch (next) {
            case ANSWER_LOST -> {
                real.commit();
                throw connectionLost();
            }
            case ANSWER_LOST_AND_AWAY -> {
                real.commit();
                away.set(true);
                throw connectionLost();
            }
            case NEVER_ARRIVED -> {
                real.rollback();
                throw connectionLost();
            }
            case DEADLOCK -> {
                real.rollback();
                throw deadlock();
            }
        }
        return null;
    }
}
