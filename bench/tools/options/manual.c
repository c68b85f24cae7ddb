/* Manual pages in roff (see bench/tools/options/option.h). `man` does the layout. */
#include "bench/tools/options/option.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "bench/results/version.h"
#include "option_list.h"

/* Prints text, and escapes the characters that are special to roff. */
static void print_text(const char *text, size_t length, FILE *out)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\\')
			fputs("\\e", out);
		else if (text[i] == '-')
			fputs("\\-", out);
		else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
			fprintf(out, "\\&%c", text[i]);
		else
			putc(text[i], out);
	}
}

static void print_string(const char *text, FILE *out)
{
	print_text(text, strlen(text), out);
}

static void manual_print_head(const char *name, const char *help, FILE *out)
{
	fputs(".TH ", out);
	for (const char *c = name; *c; c++)
		putc(toupper((unsigned char)*c), out);
	fprintf(out, " 1 \"\" \"meshsim %s\" \"meshsim\"\n.SH NAME\n", version_number());
	print_string(name, out);
	fputs(" \\- ", out);
	print_string(help, out);
	fputs("\n.SH SYNOPSIS\n", out);
}

static void print_option(const struct option_row *option, FILE *out)
{
	char letter = option->letter;

	fputs(".TP\n", out);
	if (letter)
		fprintf(out, "\\fB\\-%c\\fR%s%s%s, ", letter, option->value ? " \\fI" : "",
			option->value ? option->value : "", option->value ? "\\fR" : "");
	fputs("\\fB\\-\\-", out);
	print_string(option->name, out);
	fputs("\\fR", out);
	if (option->value) {
		fputs("=\\fI", out);
		print_string(option->value, out);
		fputs("\\fR", out);
	}
	fputs("\n", out);
	print_string(option->help, out);
	fputs("\n", out);
}

static void print_exit_status(FILE *out)
{
	static const struct {
		const char *code, *meaning;
	} codes[] = {
		{"0", "good"},
		{"1", "the gate found a change for the worse, or what was asked for does not fit"},
		{"2", "bad usage or input"},
		{"3", "no baseline"},
		{"4", "the simulated system stalled, or showed a hazard of its design; the message "
		      "says who waits "
		      "for what, or which choice it was"},
		{"70", "a bug of meshsim"},
	};

	fputs(".SH EXIT STATUS\n", out);
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		fprintf(out, ".TP\n%s\n%s\n", codes[i].code, codes[i].meaning);
}

void manual_command(const struct command *command, FILE *out)
{
	const char *doc = command->doc;
	const char *notes = strchr(doc, '\v');
	struct option_list list;
	char name[64], synopsis[256];

	snprintf(name, sizeof name, "meshsim-%s", command->name);
	manual_print_head(name, command->help, out);
	fprintf(out, ".B meshsim %s\n[\\fIOPTION\\fR...]", command->name);
	option_synopsis(command, synopsis, sizeof synopsis);
	if (synopsis[0])
		fputs(" ", out);
	print_string(synopsis, out);
	fputs("\n.SH DESCRIPTION\n", out);
	print_text(doc, notes ? (size_t)(notes - doc) : strlen(doc), out);
	fputs("\n.SH OPTIONS\n", out);
	option_list(command, &list);
	for (uint32_t i = 0; i < list.count; i++)
		print_option(&list.options[i], out);
	if (notes) {
		fputs(".SH NOTES\n", out);
		print_string(notes + 1, out);
		fputs("\n", out);
	}
	print_exit_status(out);
	fputs(".SH SEE ALSO\n.BR meshsim (1)\n", out);
}

void manual_program(const struct command *commands, FILE *out)
{
	manual_print_head(
		"meshsim", "simulates a mesh of accelerators under its real runtime", out);
	fputs(".B meshsim\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n"
	      "Runs a real runtime for meshes of accelerators inside a discrete-event simulation "
	      "of "
	      "the cluster, compares designs of its dispatch path, and says how wrong its figures "
	      "are.\n.SH COMMANDS\n",
		out);
	for (; commands->name; commands++) {
		fprintf(out, ".TP\n.BR meshsim-%s (1)\n", commands->name);
		print_string(commands->help, out);
		fputs("\n", out);
	}
	fputs(".SH ENVIRONMENT\n.TP\n.B MESHSIM_PLATFORMS\nthe folder with the platforms, in place "
	      "of the one that was installed\n.TP\n.B NO_COLOR\nif set, nothing is "
	      "coloured\n.TP\n.B "
	      "TMPDIR\nwhere temporary files are\n",
		out);
	print_exit_status(out);
}
