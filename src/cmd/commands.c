#include "cmd/commands.h"

#include "cmd/parse_command.h"
#include "cmd/serve_command.h"

/* clang-format off */
static const struct command table[COMMANDS] = {
    [COMMAND_PARSE] = {"parse", "Make a report of logs; the default without a command.",
        "Turn the logs of torch.compile (TORCH_TRACE) into a report.\n\n"
        "Usage: tlparse [OPTION]... [PATH]...\n\n"
        "PATH is a log, a folder of logs, or \"-\" for standard input. A folder is searched\n"
        "recursively, and the last run in it is read with all its processes or ranks.\n"
        "gzip and zstd files are decompressed. Without a PATH, $TORCH_TRACE is read, or\n"
        "torch_compile_debug/tlparse if TORCH_TRACE is not set.\n\n"
        "Examples:\n"
        "  TORCH_TRACE=/tmp/trace python train.py    record logs\n"
        "  tlparse /tmp/trace                        report on the last run, in tl_out\n"
        "  tlparse before.log after.log              compare two runs\n"
        "  tlparse a.log b.log c.log                 one report on three processes\n",
        "Exit status: 0 if the report was written, 1 if it was not or a --strict check\n"
        "failed, 2 if the command line is invalid. See also: man tlparse\n",
        parse_run, NULL, 1},
    [COMMAND_SUMMARY] = {"summary", "Print the totals and the issues of logs or of a report.",
        "Print what was compiled, how it ended, where the time went, and the issues, most\n"
        "severe first. No report is written.\n\n"
        "Usage: tlparse summary [OPTION]... [PATH]...\n\n"
        "PATH is a log, a folder of logs, \"-\" for standard input, a folder with a report,\n"
        "or its report.json. Without a PATH, $TORCH_TRACE is read.\n\n"
        "Examples:\n"
        "  tlparse summary /tmp/trace\n"
        "  tlparse summary tl_out --format markdown >>\"$GITHUB_STEP_SUMMARY\"\n",
        "Exit status: 0 if the summary was printed, 2 otherwise.\n"
        "See also: man tlparse-summary\n",
        summary_run, NULL, 2},
    [COMMAND_GRAPH] = {"graph", "Print a graph of a compile, or what differs between two.",
        "Print the nodes of a graph: what each one calls, with which operands, its type,\n"
        "and its line of source. With --diff, print which operations two graphs do not\n"
        "have in common; names of nodes and sizes that differ everywhere do not count.\n\n"
        "Usage: tlparse graph [OPTION]... [PATH] [COMPILE]\n\n"
        "PATH is a log, a folder with one, a folder with a report, or its report.json.\n"
        "Without a PATH, $TORCH_TRACE is read. COMPILE is a compile id, such as 0/1.\n"
        "Without it, all compiles with graphs are listed, unless there is only one.\n\n"
        "Examples:\n"
        "  tlparse graph /tmp/trace 0/0 --stage joint\n"
        "  tlparse graph /tmp/trace 0/0 --diff 0/1    what a recompile changed\n"
        "  tlparse graph a.log 0/0 --diff b.log --stage post_grad\n"
        "  tlparse graph a.log 0/0 --format dot | dot -Tsvg -o graph.svg\n",
        "Exit status: 0 if the graph was printed, 2 otherwise.\n"
        "See also: man tlparse-graph\n",
        graph_run, NULL, 2},
    [COMMAND_DIFF] = {"diff", "Print what changed from one run to another.",
        "Print what changed from one run to another: compile time, recompiles, graph\n"
        "breaks, issues, functions, settings. No report is written.\n\n"
        "Usage: tlparse diff [OPTION]... BASE NEW\n\n"
        "BASE and NEW are logs, folders of logs, of one process or of all ranks of a\n"
        "job, or finished reports. Instead of both, a report of two runs can be given.\n"
        "With several runs of each (--base, --new), figures are medians with their\n"
        "spread, and ~ marks a change within it.\n\n"
        "Examples:\n"
        "  tlparse diff before after\n"
        "  tlparse diff before1 after1 --base before2 --new after2\n"
        "  tlparse diff before after --fail-on 'time>+10%,breaks>0'\n",
        "Exit status: 0 if the difference was printed, 1 if a limit of --fail-on is\n"
        "exceeded, 2 if the runs cannot be compared. See also: man tlparse-diff\n",
        diff_run, NULL, 2},
    [COMMAND_CHECK] = {"check", "Compare logs or a report with budgets.",
        "Compare recompiles, graph breaks, compile time and more with the limits of\n"
        "budgets, for CI. Print the lines of code behind each limit that is exceeded. No\n"
        "report is written.\n\n"
        "Usage: tlparse check [OPTION]... [PATH]...\n\n"
        "PATH is a log, a folder of logs, \"-\" for standard input, a folder with a report,\n"
        "or its report.json. Without a PATH, $TORCH_TRACE is read. Limits are those of\n"
        "--max, --budget, or a .tlparse.json. The manual describes metrics and budgets.\n\n"
        "Examples:\n"
        "  tlparse check /tmp/trace --max recompiles=3 --max graph_breaks=0\n"
        "  tlparse check tl_out --baseline main_out --max new.graph_breaks=0\n"
        "  tlparse check tl_out --budget budget.json --format github\n",
        "Exit status: 0 if all rules passed, 1 if one failed, 2 if none failed but the\n"
        "log does not decide one, or a budget is invalid. See also: man tlparse-check\n",
        check_command, NULL, 2},
    [COMMAND_RUN] = {"run", "Run a program, print what it compiled, and keep the run.",
        "Run CMD with TORCH_TRACE set to a new folder. Afterwards, print the summary of\n"
        "what was compiled, write the report, and keep the run for 'tlparse runs'.\n\n"
        "Usage: tlparse run [OPTION]... [--] CMD [ARG]...\n\n"
        "CMD may be a launcher, such as torchrun, or be started by one: then all ranks on\n"
        "this machine are one run, and the last one that ends makes the report. CMD has\n"
        "the terminal, the standard streams and all signals. Messages go to stderr. If\n"
        "TORCH_TRACE is set, the logs go to a new folder in it.\n\n"
        "Examples:\n"
        "  tlparse run -- python train.py\n"
        "  tlparse run --open -- torchrun --nproc-per-node 8 train.py\n"
        "  torchrun --nproc-per-node 8 --no-python tlparse run -- python train.py\n"
        "  srun --ntasks-per-node 8 tlparse run -- python train.py\n",
        "Exit status: 0 if CMD exits with 0, otherwise that of CMD. If a signal ends CMD,\n"
        "tlparse ends by it, too. 125 if tlparse fails before it starts CMD, 126 if CMD\n"
        "cannot be executed, 127 if it is not found, 2 if the command line is invalid.\n"
        "See also: man tlparse-run\n",
        run_run, NULL, 125},
    [COMMAND_RUNS] = {"runs", "List, show, compare and remove the runs that 'tlparse run' kept.",
        "List, show, compare and remove the runs that 'tlparse run' has kept.\n\n"
        "Usage: tlparse runs [OPTION]... [list]\n"
        "       tlparse runs [OPTION]... show [RUN]\n"
        "       tlparse runs [OPTION]... diff [BASE NEW]\n"
        "       tlparse runs rm RUN... | --all | --older-than AGE\n"
        "       tlparse runs pin RUN... | unpin RUN...\n\n"
        "RUN is the id of a run, the beginning of an id, 'last', or 'last~N' for the Nth\n"
        "before it. diff compares the last two runs if none is given. The runs are in\n"
        "$XDG_STATE_HOME/tlparse/runs (default: ~/.local/state/tlparse/runs).\n\n"
        "Examples:\n"
        "  tlparse runs\n"
        "  tlparse runs diff last~2 last --fail-on 'time>+10%'\n"
        "  tlparse runs rm --older-than 7d\n",
        "Exit status: 0 on success, 1 if a limit of --fail-on is exceeded, 2\n"
        "otherwise. See also: man tlparse-runs\n",
        runs_run, runs_action, 2},
    [COMMAND_SHARE] = {"share", "Write a report as one file to send.",
        "Write a report as one file to send: an HTML page that holds all of it and opens\n"
        "from a mail, without a network, or a zip archive of its folder.\n\n"
        "Usage: tlparse share [OPTION]... [PATH]...\n\n"
        "PATH is the folder of a report, a log, a folder of logs, or \"-\" for standard\n"
        "input. The HTML page has every page of the report but not the log; the archive\n"
        "has all files of the report, or only the page and report.json with --redact.\n\n"
        "Examples:\n"
        "  tlparse share tl_out -o report.html\n"
        "  tlparse share /tmp/trace -o report.zip\n"
        "  tlparse share tl_out --redact paths,names\n",
        "Exit status: 0 if the file was written, 2 otherwise. See also: man tlparse-share\n",
        share_run, NULL, 2},
    [COMMAND_FOLLOW] = {"follow", "Print what happens in logs that are being written.",
        "Print a line for each compile, recompile and graph break as it happens, until\n"
        "Ctrl-C, then the totals. A compile or backward that runs for longer than any\n"
        "before it is reported while it runs.\n\n"
        "Usage: tlparse follow [OPTION]... [DIR|LOG]\n\n"
        "Logs that appear in DIR later are followed, too; DIR itself may come later.\n"
        "Without an argument, $TORCH_TRACE is followed.\n\n"
        "Examples:\n"
        "  tlparse follow /tmp/trace\n"
        "  tlparse follow /tmp/trace --serve -o report    a live page, then a report\n"
        "  tlparse follow /tmp/trace --format json | jq 'select(.event == \"recompile\")'\n",
        "Exit status: 0 after Ctrl-C, 2 if it could not follow the logs or\n"
        "write the report. See also: man tlparse-follow\n",
        follow_run, NULL, 2},
    [COMMAND_SERVE] = {"serve", "Serve reports over HTTP.",
        "Serve reports over HTTP until Ctrl-C.\n\n"
        "Usage: tlparse serve [OPTION]... [REPORT]...\n\n"
        "REPORT is the folder of a report, or a folder that contains reports. Several\n"
        "reports are listed, newest first. Without a REPORT, tl_out is served.\n\n"
        "Examples:\n"
        "  tlparse serve tl_out\n"
        "  tlparse serve ~/reports --port 8000 --no-browser\n",
        "Exit status: 0 after Ctrl-C, 2 if the reports could not be served.\n"
        "See also: man tlparse-serve\n",
        serve_run, NULL, 2},
    [COMMAND_FACTS] = {"facts", "Write the facts of logs to a file, for a report on all ranks.",
        "Read logs and write their facts to a small file, from which 'tlparse merge'\n"
        "makes the report on all ranks of a job. For jobs on many nodes: each node reads\n"
        "its own logs, with all of its cores.\n\n"
        "Usage: tlparse facts [OPTION]... [PATH]...\n\n"
        "PATH is a log, a folder of logs, or \"-\" for standard input. Without a PATH,\n"
        "$TORCH_TRACE is read. A log that cannot be read is noted in the facts; a PATH\n"
        "that does not exist is an error.\n\n"
        "Examples:\n"
        "  tlparse facts /tmp/trace -o /shared/facts/\n"
        "  srun --ntasks-per-node=1 tlparse facts /tmp/trace -o /shared/facts/\n",
        "Exit status: 0 if the file was written, 1 if a --strict check failed, 2 if\n"
        "there is no file. See also: man tlparse-facts\n",
        facts_run, NULL, 2},
    [COMMAND_MERGE] = {"merge", "Make the report on all ranks from facts of their logs.",
        "Make the report on all ranks of a job from the facts of its nodes, without their\n"
        "logs: where ranks diverge, and why. The logs of a few ranks that represent the\n"
        "others become full reports in it, if those logs can be read here.\n\n"
        "Usage: tlparse merge [OPTION]... FACTS...\n\n"
        "FACTS are files from 'tlparse facts'. If several have facts of a log, those\n"
        "taken last count. Files that cannot be read are named and left out.\n\n"
        "Examples:\n"
        "  tlparse merge /shared/facts/*.facts -o report\n"
        "  tlparse merge facts/*.facts --logs /shared/logs --full 0,17\n"
        "  tlparse merge rack1/*.facts -o rack1.facts     merge in steps\n",
        "Exit status: 0 if the report was written, 1 if a --strict check failed, 2 if\n"
        "there is no report. See also: man tlparse-merge\n",
        merge_run, NULL, 2},
    [COMMAND_EXTRACT] = {"extract", "Write a program that runs a graph of a compile, or its log.",
        "Write a program in Python that runs the graph of a compile, as the log has it:\n"
        "to reproduce an error, to compare results, to measure, to attach to an issue.\n"
        "The program contains code from the log: read it before you run it.\n\n"
        "Usage: tlparse extract [OPTION]... [LOG] [COMPILE]\n\n"
        "LOG is a log or a folder with one. Without it, $TORCH_TRACE is read. COMPILE is\n"
        "a compile id, such as 0/1; it may be left out if only one has a graph. The\n"
        "program writes nothing outside of a temporary folder.\n\n"
        "Examples:\n"
        "  tlparse extract /tmp/trace 0/0 -o repro.py; python repro.py --help\n"
        "  tlparse extract /tmp/trace 0/0 --ablate eager,aot_eager,inductor -o repro.py\n"
        "  tlparse extract /tmp/trace 0/0 --issue >issue.md\n"
        "  tlparse extract /tmp/trace 0/0 --log -o small.log\n"
        "  tlparse extract /tmp/trace --anonymous -o clean.log\n",
        "Exit status: 0 if it was written, 2 otherwise. See also: man tlparse-extract\n",
        extract_run, NULL, 2},
};
/* clang-format on */

const struct command *commands_table(size_t *count) {
    *count = COMMANDS;
    return table;
}

enum command_id command_of(int argc, char *const *argv, bool *named) {
    *named = true;
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], table[i].name) == 0)
            return (enum command_id)i;
    *named = false;
    return COMMAND_PARSE;
}

const char *commands_nearest(const char *word) {
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = table[i].name;
    return nearest_name(slice_str(word), names, COMMANDS);
}

void commands_print_help(const struct command *command, bool named, FILE *to) {
    fprintf(to, "%s", command->about);
    options_print_list((enum command_id)(command - table), to);
    fprintf(to, "\n%s", command->statuses);
    if (named)
        return;
    fputs("\nCommands (a file with such a name is ./NAME):\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-9s%s\n", table[i].name, table[i].summary);
}
