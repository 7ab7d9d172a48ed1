package io.chargefence.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks whether the server on a port answers SQL, and whether it is ours and not another that took the port. */
final class MariaDbProbe {

    private MariaDbProbe() {}

    static boolean answers(int port, Path data) {
        return FreePort.isListening(port) && dataFolderIs(port, data);
    }

    private static boolean dataFolderIs(int port, Path data) {
        String url = EmbeddedMariaDb.jdbcUrl(port, "") + "&socketTimeout=2000";
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select @@datadir")) {
            return row.next() && Files.isSameFile(Path.of(row.getString(1)), data);
        } catch (SQLException | IOException notYet) {
            return false;
        }
    }
}
