/* main.c - the regress program: its table of commands. */
#include "regress/commands.h"

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {cmd_join,    cmd_import,   cmd_fit,      cmd_predict, cmd_crossval,
                                           cmd_compare, cmd_counters, cmd_diagnose, cmd_classes, {0}};
    const struct cli_program program = {
        "regress", "Finds the cost of each kind of counted item, by regression of totals on counts.",
        "files:\n"
        "  classifications are in <prefix>/share/shimgen/classes/NAME.classes; any file in that format can be named "
        "instead\n\n"
        "example:\n"
        "  regress join counts.csv measurements.csv -o dataset.csv\n"
        "  regress crossval dataset.csv --classes origin,operand,fine --solvers ols,nnls,shrink\n"
        "  regress fit dataset.csv -o model.json && regress predict --model model.json other.csv",
        commands};
    return cli_main(&program, argc, argv);
}
