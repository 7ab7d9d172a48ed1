package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;

/**
 * What one user needs to unpack or install only once on a machine. Builds run side by side, so each entry is made under a
 * lock, in a side folder, and renamed when whole.
 */
final class MachineCache {

    private static final String ONLY_ME = "rwx------";

    private MachineCache() {}

    @FunctionalInterface
    interface Maker {
        void makeIn(Path folder) throws IOException;
    }

    static synchronized Path once(String entry, Maker maker) {
        try {
            Path cache = privateFolder();
            Path made = cache.resolve(entry);
            if (!Files.isDirectory(made)) {
                makeLocked(cache, made, maker);
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot prepare " + entry, e);
        }
    }

    private static void makeLocked(Path cache, Path made, Maker maker) throws IOException {
        Path lock = cache.resolve("lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            if (Files.isDirectory(made)) {
                return;
            }
            Path side = cache.resolve(made.getFileName() + ".part");
            ServerFolder.delete(side);
            Files.createDirectory(side);
            maker.makeIn(side);
            Files.move(side, made, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** We run programs out of this folder, and its name can be guessed: on a shared machine it must be ours alone. */
    private static Path privateFolder() throws IOException {
        Path tmp = Path.of(System.getProperty("java.io.tmpdir"));
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_");
        Path folder = tmp.resolve("chargefence-embedded-" + user);
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            createPrivate(folder);
        }
        if (!isOurs(folder)) {
            throw new IOException(folder + " is not a folder that only " + user + " can use; remove it, or give"
                    + " another temporary folder with -Djava.io.tmpdir");
        }
        return folder.toRealPath();
    }

    private static void createPrivate(Path folder) throws IOException {
        // createDirectories: another build may be a moment faster.
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(ONLY_ME)));
    }

    private static boolean isOurs(Path folder) throws IOException {
        Path probe = Files.createTempFile("chargefence", ".probe");
        try {
            UserPrincipal me = Files.getOwner(probe);
            return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(me)
                    && PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                            .equals(ONLY_ME);
        } finally {
            Files.delete(probe);
        }
    }
}
