package io.chargefence.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.standalone.CsvOrders.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvOrdersTest {

    private static final String COLUMNS = "orderId=order_id,step=payment_sequential,amount=payment_value";

    @TempDir
    Path folder;

    @Test
    void columns_are_mapped_by_the_names_of_the_header_in_any_order() throws IOException {
        List<Line> lines = read("\uFEFFpayment_type,payment_value,order_id,payment_sequential\n"
                + "card,135.41,\"ord,1\",1\nvoucher,67.5,ord-2,2\ncard,30,ord-3,1\n");

        assertThat(lines).allMatch(line -> line.refusal() == null).hasSize(3);
        assertThat(lines.get(0).request().orderStep().orderId()).isEqualTo("ord,1");
        assertThat(lines)
                .extracting(line -> line.request().intent("any").amountMinor())
                .containsExactly(13_541L, 6_750L, 3_000L);
        assertThat(lines)
                .extracting(line -> line.request().intent("any").currency())
                .containsOnly("BRL");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ord-1 | 1 | 0      | amount '0' must be more than zero",
                "ord-1 | 1 | -3.00  | must be more than zero",
                "ord-1 | 1 | 1.005  | has more decimals than BRL has (2)",
                "ord-1 | 1 | twelve | is not a number",
                "ord-1 | 1 | NaN    | is not a number",
                "ord-1 | A B | 1.00 | step 'A B' must be",
                "4111111111111111 | 1 | 1.00 | may be a card number",
                "ord-1 | 1 | 99999999999999 | must be at most",
            })
    void a_line_that_makes_no_valid_request_is_refused_alone_by_number_and_reason(
            String orderId, String step, String amount, String reason) throws IOException {
        List<Line> lines = read("order_id,payment_sequential,payment_value\n" + orderId + "," + step + "," + amount
                + "\nord-2,1,5.00\n");

        assertThat(lines.get(0).refusal()).contains(reason).doesNotContain("4111111111111111");
        assertThat(lines.get(0).number()).isEqualTo(2);
        assertThat(lines.get(1).refusal()).isNull();
    }

    @Test
    void a_line_with_too_few_or_too_many_fields_is_refused_alone() throws IOException {
        List<Line> lines = read("order_id,payment_sequential,payment_value\nord-1\nord-2,1,5.00\nord,3,1,5.00\n");

        assertThat(lines.get(0).refusal()).contains("line '1' fields instead of 3");
        assertThat(lines.get(1).refusal()).isNull();
        assertThat(lines.get(2).refusal()).contains("line '4' fields instead of 3");
    }

    @Test
    void a_header_without_a_needed_column_is_one_error_that_names_what_is_there() {
        assertThatThrownBy(() -> read("id,value\n1,2\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orderId (column 'order_id')")
                .hasMessageContaining("[id, value]");
        assertThatThrownBy(() -> CsvColumns.of("order=x")).hasMessageContaining("'order=x' is not NAME=COLUMN");
    }

    @Test
    void a_file_with_a_currency_column_needs_no_other() throws IOException {
        Path file = Files.writeString(
                folder.resolve("own.csv"),
                "orderId,step,amount,currency,source\no1,s,80,JPY,pm_1\no2,s,1.234,KWD,pm_2\no3,s,1,???,pm_3\n");
        List<Line> lines = new ArrayList<>();
        new CsvOrders(file, CsvColumns.of(""), null).forEach(lines::add);

        assertThat(lines.get(0).request().intent("any").amountMinor()).isEqualTo(80);
        assertThat(lines.get(1).request().intent("any").amountMinor()).isEqualTo(1_234);
        assertThat(lines.get(1).request().intent("any").source()).isEqualTo("pm_2");
        assertThat(lines.get(2).refusal()).contains("???");
    }

    private List<Line> read(String csv) throws IOException {
        Path file = Files.writeString(folder.resolve("orders.csv"), csv);
        List<Line> lines = new ArrayList<>();
        new CsvOrders(file, CsvColumns.of(COLUMNS), "BRL").forEach(lines::add);
        return lines;
    }
}
