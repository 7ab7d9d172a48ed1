package io.chargefence.mysql;

import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Axon's view of Spring's transactions: joins the one that is open, so that fence row and events are one commit. */
final class SpringTransactions implements TransactionManager {

    private final PlatformTransactionManager transactions;

    SpringTransactions(PlatformTransactionManager transactions) {
        this.transactions = transactions;
    }

    @Override
    public Transaction startTransaction() {
        TransactionStatus status = transactions.getTransaction(new DefaultTransactionDefinition());
        return new Transaction() {
            @Override
            public void commit() {
                transactions.commit(status);
            }

            @Override
            public void rollback() {
                if (!status.isCompleted()) {
                    transactions.rollback(status);
                }
            }
        };
    }
}
