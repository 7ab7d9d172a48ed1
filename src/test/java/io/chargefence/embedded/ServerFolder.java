package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Where one server keeps its data and its log: a folder that somebody gave us and that we leave alone, or one of our own
 * that goes when the server goes.
 */
record ServerFolder(Path path, boolean isTemporary) {

    static ServerFolder given(Path path) {
        try {
            return new ServerFolder(Files.createDirectories(path).toRealPath(), false);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use " + path, e);
        }
    }

    static ServerFolder temporary(String purpose) {
        try {
            Path path = Files.createTempDirectory("chargefence-" + purpose + "-");
            return new ServerFolder(path.toRealPath(), true);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary folder for " + purpose, e);
        }
    }

    void discard() {
        if (isTemporary) {
            try {
                delete(path);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot delete " + path, e);
            }
        }
    }

    /** A copy under another name first: a copy that was cut short must not be taken for data. */
    static void copyWhole(Path from, Path to) throws IOException {
        Path side = to.resolveSibling(to.getFileName() + ".part");
        delete(side);
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectory(side.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, side.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
        Files.move(side, to, StandardCopyOption.ATOMIC_MOVE);
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                // A server that is just going deletes its own files, too.
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
