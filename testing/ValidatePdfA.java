import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.*;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.*;

/**
 * Validates PDF files. Standard input gets a line for each: the flavour of PDF/A, a space and its path; for each, standard
 * output gets a line with its number, one for each rule it breaks, and an empty one.
 */
public class ValidatePdfA {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // Logging of the library goes elsewhere.
    System.setOut(System.err);
    VeraGreenfieldFoundryProvider.initialise();
    Map<PDFAFlavour, PDFAValidator> validators = new HashMap<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    for (int number = 0; (line = lines.readLine()) != null; number++) {
      String[] parts = line.split(" ", 2);
      PDFAFlavour flavour = PDFAFlavour.byFlavourId(parts[0]);
      PDFAValidator validator = validators.computeIfAbsent(flavour, each -> Foundries.defaultInstance().createValidator(each, false));
      out.println(number);
      for (String failure : failures(parts[1], flavour, validator)) out.println(failure);
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
