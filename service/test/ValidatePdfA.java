import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.*;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.*;

/**
 * Validates PDF files against the flavour of PDF/A that the first argument names. Their paths come on standard input, one
 * a line; for each, standard output gets a line with its number, one for each rule it breaks, and an empty one.
 */
public class ValidatePdfA {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // Logging of the library goes elsewhere.
    System.setOut(System.err);
    VeraGreenfieldFoundryProvider.initialise();
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(arguments[0]);
    PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false);
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String path;
    for (int number = 0; (path = paths.readLine()) != null; number++) {
      out.println(number);
      for (String failure : failures(path, flavour, validator)) out.println(failure);
      out.println();
    }
    out.flush();
    System.exit(0);
  }

  static List<String> failures(String path, PDFAFlavour flavour, PDFAValidator validator) {
    try (InputStream in = new FileInputStream(path);
        PDFAParser parser = Foundries.defaultInstance().createParser(in, flavour)) {
      ValidationResult result = validator.validate(parser);
      Map<String, String> broken = new TreeMap<>();
      for (TestAssertion assertion : result.getTestAssertions()) {
        if (assertion.getStatus() != TestAssertion.Status.FAILED) continue;
        var rule = assertion.getRuleId();
        String text = assertion.getMessage() + " at " + assertion.getLocation().getContext();
        broken.putIfAbsent(rule.getClause() + "-" + rule.getTestNumber(), text.replaceAll("\\s+", " "));
      }
      List<String> lines = new ArrayList<>();
      for (Map.Entry<String, String> entry : broken.entrySet()) lines.add(entry.getKey() + ": " + entry.getValue());
      if (lines.isEmpty() && !result.isCompliant()) lines.add("does not conform");
      return lines;
    } catch (Throwable error) {
      return List.of("cannot be read: " + String.valueOf(error).replaceAll("\\s+", " "));
    }
  }
}
