package io.chargefence;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over length-prefixed parts: ("ab", "c") and ("a", "bc") differ. */
public final class Digest {

    private final MessageDigest sha256;

    public Digest(String purpose) {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
        add(purpose);
    }

    public Digest add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    public Digest add(byte[] part) {
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        sha256.update(part);
        return this;
    }

    /** Lower-case hex of the 32 bytes. May be asked once. */
    public String hex() {
        return HexFormat.of().formatHex(sha256.digest());
    }
}
