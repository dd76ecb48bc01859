
#include "cmd/options.h"

enum {
    PARSE = 1 << COMMAND_PARSE,
    CHECK = 1 << COMMAND_CHECK,
    DIFF = 1 << COMMAND_DIFF,
    FOLLOW = 1 << COMMAND_FOLLOW,
    SERVE = 1 << COMMAND_SERVE,
    SUMMARY = 1 << COMMAND_SUMMARY,
    GRAPH = 1 << COMMAND_GRAPH,
    RUN = 1 << COMMAND_RUN,
    RUNS = 1 << COMMAND_RUNS,
    REPORTS = PARSE | RUN, /* commands that write a report */
    SHARE = 1 << COMMAND_SHARE,
    FACTS = 1 << COMMAND_FACTS,
    MERGE = 1 << COMMAND_MERGE,
    EXTRACT = 1 << COMMAND_EXTRACT,
    ANSWERS = SUMMARY | DIFF, /* commands that print instead of writing a report */
    EVERY = (1 << COMMANDS) - 1,
    READERS = EVERY & ~SERVE & ~MERGE, /* commands that read logs */
};

static const char *const formats[] =
    {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_MARKDOWN] = "markdown", NULL};
static const char *const summary_formats[] =
    {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_MARKDOWN] = "markdown", [SUMMARY_SARIF] = "sarif", NULL};
static const char *const line_formats[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};
static const char *const check_formats[] = {[CHECK_TEXT] = "text",
                                            [CHECK_GITHUB] = "github",
                                            [CHECK_JSON] = "json",
                                            [CHECK_JUNIT] = "junit",
                                            [CHECK_MARKDOWN] = "markdown",
                                            [CHECK_SARIF] = "sarif",
                                            NULL};
static const char *const summary_by[] =
    {[SUMMARY_BY_ISSUE] = "issue", [SUMMARY_BY_LINE] = "line", [SUMMARY_BY_MODULE] = "module", NULL};
static const char *const graph_formats[] =
    {[GRAPH_TABLE] = "table", [GRAPH_JSON] = "json", [GRAPH_CSV] = "csv", [GRAPH_DOT] = "dot", NULL};
static const char *const shells[] = {[SHELL_BASH] = "bash", [SHELL_FISH] = "fish", [SHELL_ZSH] = "zsh", NULL};

#define FLAG(member_) .type = OPTION_FLAG, .member = offsetof(struct options, member_)
#define TEXT(name_, member_) .argument = (name_), .type = OPTION_TEXT, .member = offsetof(struct options, member_)
#define LISTED(name_, member_) .argument = (name_), .type = OPTION_LIST, .member = offsetof(struct options, member_)
#define NUMBER(name_, member_, max_)                                                                                   \
    .argument = (name_), .type = OPTION_NUMBER, .member = offsetof(struct options, member_), .max = max_
#define BYTES(member_, max_)                                                                                           \
    .argument = "SIZE", .type = OPTION_SIZE, .member = offsetof(struct options, member_), .max = max_
#define CHOICE(name_, member_, values_)                                                                                \
    .argument = (name_), .type = OPTION_CHOICE, .member = offsetof(struct options, member_), .values = (values_)
#define ACTION(action_) .type = OPTION_ACTION, .action = action_

/* clang-format off */
static const struct option_row rows[] = {
    {"ablate", TEXT("BACKENDS", ablate), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write a program that runs the graph with each of BACKENDS, such as eager,aot_eager,inductor, and says which one fails or differs."},
    {"all", FLAG(all), .group = GROUP_OUTPUT, .commands = GRAPH, .help =
        "With --diff: print each change. Otherwise changes that differ in numbers in names only, such as those of equal layers, are "
        "printed once, with their number."},
    {"all", FLAG(all), .group = GROUP_INPUT, .commands = RUNS, .help =
        "With rm: remove all runs that are not pinned."},
    {"all-ranks-html", FLAG(all_ranks), .group = GROUP_INPUT, .commands = PARSE, .help =
        "Read the logs of all ranks in the folder PATH, write one report per rank, and show where the ranks diverge. "
        "This is the default for a folder with several ranks."},
    {"anonymous", FLAG(anonymous), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write the whole log without paths and names. A report on it has the same counts."},
    {"backward", FLAG(backward), .group = GROUP_INPUT, .commands = EXTRACT, .help =
        "The graph of the backward."},
    {"base", LISTED("LOG", base), .files = "file", .group = GROUP_INPUT, .commands = DIFF, .help =
        "Another run of the program before the change. Several runs show the spread. May be repeated."},
    {"baseline", TEXT("REPORT", baseline), .files = "file", .group = GROUP_INPUT, .commands = CHECK | RUN, .help =
        "Compare with REPORT, a report or a log of an earlier run, for limits on new items, such as --max new.graph_breaks=0."},
    {"bench", FLAG(bench), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write a program that prints run times, compiled and in eager mode."},
    {"block-bytes", NUMBER("N", block_bytes, SIZE_MAX / 4), .group = GROUP_GENERAL, .commands = READERS & ~EXTRACT, .hidden = true, .help =
        "Read logs in blocks of N bytes. The report does not depend on N."},
    {"budget", LISTED("FILE", budgets), .files = "file", .group = GROUP_STATUS, .commands = CHECK | RUN, .help =
        "Read limits from FILE, which is JSON (default: a .tlparse.json in the current directory or a parent, up to the root of the git "
        "repository). May be repeated."},
    {"by", CHOICE("WHAT", by, summary_by), .group = GROUP_OUTPUT, .commands = SUMMARY, .help =
        "List WHAT: issue (default), line: what each line of source costs, or module: the nn.Modules with parameters, operations and kernels. The "
        "latter two of one log."},
    {"check", FLAG(check), .group = GROUP_STATUS, .commands = RUN, .help =
        "Compare the run with budgets, as 'tlparse check' does. If CMD exits with 0, exit as the check does."},
    {"check", FLAG(check), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write a program that compares the results with those of eager mode."},
    {"compare", FLAG(compare), .group = GROUP_INPUT, .commands = PARSE | SUMMARY | CHECK | SHARE, .help =
        "Compare the PATHs as separate runs. This is the default for two PATHs, "
        "unless they are folders with different ranks of one job. Three or more PATHs are processes of one run by default. "
        "In a single folder, each log is a run, or each subfolder that contains logs of ranks."},
    {"completion", ACTION(ACTION_COMPLETION), .argument = "SHELL", .member = offsetof(struct options, shell), .values = shells,
        .group = GROUP_GENERAL, .commands = PARSE, .help =
        "Print a completion script for SHELL and exit: bash, fish or zsh."},
    {"custom-header-html", TEXT("HTML", custom_header), .group = GROUP_OUTPUT, .commands = REPORTS, .help =
        "Insert HTML, unescaped, at the top of index.html."},
    {"diff", TEXT("OTHER", other), .group = GROUP_INPUT, .commands = GRAPH, .help =
        "Print what differs between this graph and OTHER: a compile id of the same log (0/1), a stage of the same compile (joint), or a log "
        "or report, whose graph of the same compile and stage is compared. A compile and a stage may follow: 0/1:joint, other.log:joint, other.log:2/0:joint."},
    {"export", FLAG(export), .letter = 'e', .group = GROUP_INPUT, .commands = REPORTS | SHARE, .help =
        "Treat the log as one of torch.export: report what failed and why, and save the exported program."},
    {"fail-on", LISTED("LIMITS", fail_on), .group = GROUP_STATUS, .commands = DIFF | RUNS, .help =
        "Exit with status 1 if a figure changed by more than a limit: 'time>+10%,breaks>0'. May be repeated."},
        {"format", CHOICE("FORMAT", format, formats), .group = GROUP_OUTPUT, .commands = DIFF | RUNS, .help =
        "Print FORMAT: text (default), json or markdown."},
    {"format", CHOICE("FORMAT", format, summary_formats), .group = GROUP_OUTPUT, .commands = SUMMARY, .help =
        "Print FORMAT: text (default), json, markdown or, with --by line, sarif: all lines outside of libraries as notes, for editors."},
    {"format", CHOICE("FORMAT", format, line_formats), .group = GROUP_OUTPUT, .commands = FOLLOW, .help =
        "Print FORMAT: text (default), or json: one object per line."},
    {"format", CHOICE("FORMAT", format, check_formats), .group = GROUP_OUTPUT, .commands = CHECK, .help =
        "Print FORMAT: text (default), github, json, junit, markdown or sarif. github is for the log of a GitHub workflow, which shows "
        "it as annotations."},
    {"format", CHOICE("FORMAT", format, graph_formats), .group = GROUP_OUTPUT, .commands = GRAPH, .help =
        "Print FORMAT: table (default), json, csv, or dot for Graphviz. With --diff: table or json."},
    {"full", TEXT("RANKS", full), .group = GROUP_OUTPUT, .commands = MERGE, .help =
        "Write the full report of RANKS, which are numbers such as 0,17; of representatives (default): a rank of each group that "
        "differs, the slowest, the fastest, and those that failed or hang; or of none."},
    {"help", ACTION(ACTION_HELP), .letter = 'h', .group = GROUP_GENERAL, .commands = EVERY, .help =
        "Print this help and exit."},
    {"host", TEXT("ADDR", host), .group = GROUP_VIEW, .commands = REPORTS | SERVE | FOLLOW | MERGE, .help =
        "Serve on ADDR, so that other machines can read the report. 0.0.0.0 listens on all interfaces "
        "(default: 127.0.0.1, this machine only)."},
    {"inductor-provenance", FLAG(provenance), .letter = 'i', .group = GROUP_OUTPUT, .commands = REPORTS, .help =
        "Write pages that map lines of the graphs to lines of the generated code. This is the default if the log "
        "contains the mappings."},
    {"issue", FLAG(issue), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write the text of an issue for PyTorch, in Markdown: versions, settings, what happened, the graph and the program. It is below the "
        "limit of GitHub."},
    {"keep", NUMBER("N", keep, UINT32_MAX), .group = GROUP_OUTPUT, .commands = RUN, .help =
        "Keep at most N runs: remove the oldest ones that are not pinned (default: 50, and at most 10 GiB)."},
    {"kernel", TEXT("NAME", kernel), .group = GROUP_INPUT, .commands = EXTRACT, .help =
        "The kernel NAME of the output code, with its inputs."},
    {"latest", FLAG(latest), .group = GROUP_INPUT, .commands = PARSE | SUMMARY | CHECK | SHARE | FACTS | EXTRACT, .help =
        "Read only the most recently modified log in the folder PATH."},
    {"log", FLAG(log_only), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write a log with the records of the compile only."},
    {"logs", LISTED("DIR", logs), .files = "directory", .group = GROUP_INPUT, .commands = MERGE, .help =
        "Look in DIR for the logs of ranks that get a full report. Without this option, they are read from their original paths, "
        "if possible. May be repeated."},
    {"max", LISTED("METRIC=NUMBER", max), .group = GROUP_STATUS, .commands = CHECK | RUN, .help =
        "Fail if METRIC is more than NUMBER: recompiles=3, compile_time_s=60, new.graph_breaks=0. Replaces the limit of a budget for the "
        "same metric. May be repeated."},
    {"max-output", BYTES(max_output, UINT64_MAX >> 1), .group = GROUP_OUTPUT, .commands = PARSE, .help =
        "Stop reading a log when its report has about SIZE bytes, without markup. The report says so. K, M and G are multiples "
        "of 1024 (default: 256G)."},
    {"max-record", BYTES(max_record, 1 << 30), .group = GROUP_INPUT, .commands = PARSE | FACTS, .help =
        "Leave out records larger than SIZE bytes. K, M and G are multiples of 1024 (default: 256M)."},
    {"max-size", BYTES(max_size, UINT64_MAX >> 1), .group = GROUP_OUTPUT, .commands = SHARE, .help =
        "Leave out the reports of ranks and runs that would make the HTML file larger than SIZE bytes, the last ones first. "
        "K, M and G are multiples of 1024 (default: 18M, which fits a mail of 25 MB)."},
    {"minify", FLAG(minify), .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write a program in which PyTorch's minifier finds a small graph that still fails, or differs from eager mode."},
    {"new", LISTED("LOG", newer), .files = "file", .group = GROUP_INPUT, .commands = DIFF, .help =
        "Another run of the program after the change. May be repeated."},
    {"no-browser", FLAG(no_browser), .group = GROUP_VIEW, .commands = PARSE | SERVE | FOLLOW, .help =
        "Do not open the report in a browser."},
    {"older-than", TEXT("AGE", older_than), .group = GROUP_INPUT, .commands = RUNS, .help =
        "With rm: remove the runs that began longer ago than AGE and are not pinned. AGE is a number with a unit: 30m, "
        "12h, 7d, 4w."},
    {"open", FLAG(open), .group = GROUP_VIEW, .commands = RUN, .help =
        "Open the report in a browser."},
    {"out", TEXT("DIR", out), .letter = 'o', .files = "directory", .group = GROUP_OUTPUT, .commands = PARSE, .help =
        "Write the report to the folder DIR (default: tl_out)."},
    {"out", TEXT("DIR", out), .letter = 'o', .files = "directory", .group = GROUP_OUTPUT, .commands = RUN, .help =
        "Write the report to the folder DIR (default: the folder of the run, as 'tlparse runs show' prints it)."},
    {"out", TEXT("DIR", out), .letter = 'o', .files = "directory", .group = GROUP_OUTPUT, .commands = FOLLOW, .help =
        "At the end, write the report to the folder DIR."},
    {"out", TEXT("FILE", out), .letter = 'o', .files = "file", .group = GROUP_OUTPUT, .commands = SHARE, .help =
        "Write FILE: NAME.html (default: report.html), NAME.zip, or - for the HTML page on standard output."},
    {"out", TEXT("FILE", out), .letter = 'o', .files = "file", .group = GROUP_OUTPUT, .commands = FACTS, .help =
        "Write FILE; in a folder, HOST.facts (default: HOST.facts in the current folder); - for standard output."},
    {"out", TEXT("DIR", out), .letter = 'o', .files = "directory", .group = GROUP_OUTPUT, .commands = MERGE, .help =
        "Write the report to the folder DIR (default: tl_out). With a name that ends in .facts, or -, write the merged facts instead."},
    {"out", TEXT("FILE", out), .letter = 'o', .files = "file", .group = GROUP_OUTPUT, .commands = EXTRACT, .help =
        "Write FILE (default: standard output)."},
    {"overwrite", FLAG(overwrite), .group = GROUP_OUTPUT, .commands = SHARE | FACTS | EXTRACT, .help =
        "Replace FILE if it exists."},
    {"overwrite", FLAG(overwrite), .group = GROUP_OUTPUT, .commands = REPORTS | FOLLOW | MERGE, .help =
        "Replace DIR if it contains a report. Without this option, DIR must be missing or empty. A folder that contains "
        "anything else is never replaced."},
    {"parser", LISTED("KIND=COMMAND", parsers), .group = GROUP_OUTPUT, .commands = PARSE, .help =
        "Let COMMAND read the records of KIND and add to the report. No shell reads COMMAND. May be repeated."},
    {"part", NUMBER("N", part, UINT32_MAX), .group = GROUP_INPUT, .commands = EXTRACT, .help =
        "The Nth graph, if the compile has several, as with DDP (default: 1)."},
    {"plain-text", FLAG(plain_text), .letter = 'p', .group = GROUP_OUTPUT, .commands = REPORTS, .help =
        "Write generated code as plain text instead of highlighted HTML, for easier diffing."},
    {"poll", FLAG(poll), .group = GROUP_INPUT, .commands = FOLLOW, .hidden = true, .help =
        "Do not use inotify. Changes are found without it, too, for example on network file systems."},
    {"port", NUMBER("N", port, UINT16_MAX), .group = GROUP_VIEW, .commands = REPORTS | SERVE | FOLLOW | MERGE, .help =
        "Serve on port N. 0 picks any free port (default: the first free port from 8000 to 8099)."},
    {"profile", LISTED("FILE", profile), .files = "file", .group = GROUP_INPUT, .commands = PARSE | SUMMARY | SHARE | CHECK, .help =
        "Join a trace of torch.profiler with the log: what each line, kernel and compile costs when it runs. FILE may be "
        "packed, or a folder. May be repeated."},
    {"profile", NUMBER("N", steps, 100000), .group = GROUP_INPUT, .commands = RUN, .help =
        "Record N steps of the program with torch.profiler, after the first step, and join the profile with the log. A step is one of an "
        "optimizer; without one, a call of a compiled function. Traces that the program exports itself are used instead; with 0, "
        "only these."},
    {"profile", LISTED("FILE", profile), .files = "file", .group = GROUP_INPUT, .commands = DIFF, .help =
        "Compare run time, too: a trace of torch.profiler, or a folder with traces. Give it twice, for the first run and for "
        "the second."},
    {"rank", NUMBER("N", rank, UINT32_MAX), .group = GROUP_INPUT, .commands = READERS & ~FACTS, .help =
        "Read only the records of rank N."},
    {"redact", TEXT("WHAT", redact), .group = GROUP_OUTPUT, .commands = SHARE, .help =
        "Remove data that identifies the program. WHAT is a list of paths, code (texts of artifacts become their shape), config "
        "(values of settings) and names, separated by commas."},
    {"serve", FLAG(serve), .group = GROUP_VIEW, .commands = REPORTS | FOLLOW | MERGE, .help =
        "Serve the report over HTTP until Ctrl-C."},
    {"slow", NUMBER("SECONDS", slow, 1000000), .group = GROUP_INPUT, .commands = FOLLOW, .help =
        "Report a running compile once it takes longer than SECONDS (default: 10) and than any compile before it."},
    {"source", LISTED("DIR", sources), .files = "directory", .group = GROUP_OUTPUT, .commands = REPORTS | SHARE | FOLLOW, .help =
        "Show whole files of source in the page, from DIR, where the log only quotes lines of them. A file is used if all lines that "
        "the log quotes are the same. May be repeated."},
    {"source-commit", TEXT("COMMIT", source_commit), .group = GROUP_OUTPUT, .commands = PARSE, .help =
        "Link places in the page to the code of COMMIT, if links to code are configured (default: the commit that is "
        "checked out)."},
    {"stage", TEXT("STAGE", stage), .group = GROUP_INPUT, .commands = GRAPH, .help =
        "The graph of STAGE: dynamo (default), pre_grad, joint, forward, post_grad, backward, backward_post_grad, export, or the name of an "
        "artifact, such as before_post_grad_graph."},
    {"stat", FLAG(stat), .group = GROUP_OUTPUT, .commands = DIFF | RUNS, .help =
        "Print the figures only, without run time, functions and issues."},
    {"strict", FLAG(strict), .group = GROUP_STATUS, .commands = PARSE, .help =
        "Exit with status 1 if the log has unrecognized lines or malformed records, or could not be read completely. The "
        "report is still written."},
    {"strict", FLAG(strict), .group = GROUP_STATUS, .commands = FACTS | MERGE, .help =
        "Exit with status 1 if a log or a facts file could not be read completely. The output is still written."},
    {"strict-compile-id", FLAG(strict_compile_id), .group = GROUP_STATUS, .commands = PARSE, .help =
        "Exit with status 1 if a record with a stack has no compile id. The report is still written."},
    {"threads", NUMBER("N", threads, 1024), .group = GROUP_GENERAL, .commands = (READERS & ~EXTRACT) | MERGE, .help =
        "Use N worker threads; 0 does all work in the main thread (default: one per core). The report does not depend "
        "on N."},
    {"top", NUMBER("N", top, UINT32_MAX), .group = GROUP_OUTPUT, .commands = ANSWERS | FOLLOW, .help =
        "List at most N issues, functions and compiles (default: 10)."},
    {"top", NUMBER("N", top, UINT32_MAX), .group = GROUP_OUTPUT, .commands = CHECK, .help =
        "List at most N causes of a failed rule (default: 10). SARIF lists all."},
    {"top", NUMBER("N", top, UINT32_MAX), .group = GROUP_OUTPUT, .commands = RUN, .help =
        "List at most N issues and compiles in the summary (default: 3)."},
    {"top", NUMBER("N", top, UINT32_MAX), .group = GROUP_OUTPUT, .commands = RUNS, .help =
        "With diff: list at most N issues and functions (default: 10)."},
    {"unpack-data", TEXT("FILE", unpack_data), .hidden = true, .group = GROUP_OUTPUT, .commands = PARSE, .files = "file", .help =
        "Write the unpacked content of FILE, one of data/*.js of a report, to standard output. For the Python package."},
    {"until-idle", NUMBER("SECONDS", until_idle, 1000000), .group = GROUP_INPUT, .commands = FOLLOW, .help =
        "End when the logs have not grown for SECONDS. 0 prints what they contain, and ends."},
    {"upload", FLAG(upload), .group = GROUP_OUTPUT, .commands = PARSE | SHARE, .help =
        "Upload the report with the configured command, and print the address that the command prints."},
    {"verbose", FLAG(verbose), .letter = 'v', .group = GROUP_GENERAL, .commands = PARSE, .help =
        "Print details: every file that was read or skipped, and a summary of the report."},
    {"version", ACTION(ACTION_VERSION), .letter = 'V', .group = GROUP_GENERAL, .commands = EVERY, .help =
        "Print the version and exit."},
};
/* clang-format on */

const struct option_row *options_table(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}
