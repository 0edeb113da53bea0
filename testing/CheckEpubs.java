import com.adobe.epubcheck.api.*;
import com.adobe.epubcheck.messages.*;
import com.adobe.epubcheck.util.FeatureEnum;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * Checks books with EPUBCheck. Their paths come on standard input, one a line; for each, standard output gets a line with
 * its number, one for each thing that is wrong with it, and an empty one.
 */
public class CheckEpubs {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // What the library prints itself goes elsewhere.
    System.setOut(System.err);
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String path;
    for (int number = 0; (path = paths.readLine()) != null; number++) {
      out.println(number);
      Collected report = new Collected();
      try {
        new EpubCheck(new File(path), report).doValidate();
      } catch (Throwable error) {
        report.found.add("FATAL cannot be checked: " + error);
      }
      for (String line : report.found) out.println(line);
      out.println();
    }
    out.flush();
    System.exit(0);
  }

  static class Collected extends MasterReport {
    final List<String> found = new ArrayList<>();

    @Override
    public void message(Message message, EPUBLocation location, Object... details) {
      Severity severity = message.getSeverity();
      if (severity != Severity.ERROR && severity != Severity.FATAL && severity != Severity.WARNING) return;
      String text = severity + " " + message.getID() + " " + location.getPath() + ":" + location.getLine() + " " + message.getMessage(details);
      found.add(text.replaceAll("\\s+", " "));
    }

    @Override
    public void info(String resource, FeatureEnum feature, String value) {}

    @Override
    public void initialize() {}

    @Override
    public int generate() {
      return 0;
    }
  }
}
