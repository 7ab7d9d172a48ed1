package io.chargefence;

/** {@link Charges#request} was called outside a transaction. Nothing was stored. */
public class MissingTransactionException extends ChargefenceException {

    private static final long serialVersionUID = 1L;

    public MissingTransactionException(OrderStep orderStep) {
        super(("%s: Charges.request was called outside a transaction, so the charge could commit without its order. Put"
                        + " @Transactional on the method that stores the order and requests the charge. Nothing was stored,"
                        + " no money moved.")
                .formatted(orderStep));
    }
}
