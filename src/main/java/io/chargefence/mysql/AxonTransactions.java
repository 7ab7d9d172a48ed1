package io.chargefence.mysql;

import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Lets Axon take part in Spring's transaction, so that the fence and its events commit or roll back together. */
final class AxonTransactions implements TransactionManager {

    private final PlatformTransactionManager transactions;

    AxonTransactions(PlatformTransactionManager transactions) {
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
