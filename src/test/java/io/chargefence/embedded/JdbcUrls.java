package io.chargefence.embedded;

/** JDBC addresses for a local MySQL or MariaDB without TLS, with time stamps in UTC. */
final class JdbcUrls {

    private static final String PARAMETERS = "createDatabaseIfNotExist=true&sslMode=DISABLED"
            + "&allowPublicKeyRetrieval=true&connectionTimeZone=UTC&connectTimeout=5000";

    private JdbcUrls() {}

    static String of(String server, String schema) {
        String base = server.endsWith("/") ? server : server + "/";
        return base + schema + "?" + PARAMETERS;
    }
}
