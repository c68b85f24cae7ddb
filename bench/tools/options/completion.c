/* Completion scripts (see bench/tools/options/option.h). If the option table lists the values of an
 * option ("sim|native"), the script offers these values. For all other options, it offers file
 * names. */
#include <string.h>

#include "bench/tools/options/option.h"
#include "option_list.h"

/* The values of a command's first argument, or NULL. */
static const char *first_argument(const struct command *command)
{
	for (const struct option_row *option = command->work->options; option && option->kind;
		option++)
		if (!option->name && option->value)
			return option->value;
	return NULL;
}

static void print_names(const struct command *commands, FILE *out)
{
	for (int i = 0; commands[i].name; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i].name);
}

static void print_bash_command(const struct command *command, FILE *out)
{
	struct option_list list;
	char words[256];

	option_list(command, &list);
	fprintf(out, "\t%s)\n\t\tcase $previous in\n", command->name);
	for (uint32_t i = 0; i < list.count; i++) {
		const struct option_row *option = &list.options[i];

		if (*option_values(option->value, words, sizeof words))
			fprintf(out, "\t\t--%s) words='%s' ;;\n", option->name, words);
	}
	fprintf(out, "\t\t*) words='%s",
		option_values(first_argument(command), words, sizeof words));
	for (uint32_t i = 0; i < list.count; i++)
		fprintf(out, " --%s%s", list.options[i].name, list.options[i].value ? "=" : "");
	fprintf(out, "' ;;\n\t\tesac ;;\n");
}

static void print_bash(const struct command *commands, FILE *out)
{
	fprintf(out, "# Completion of meshsim for bash; made by `meshsim completion bash'.\n"
		     "_meshsim()\n{\n\tlocal current=${COMP_WORDS[COMP_CWORD]}\n"
		     "\tlocal previous=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
		     "\tif [ \"$previous\" = = ]; then\n"
		     "\t\tprevious=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n"
		     "\tif [ \"$current\" = = ]; then\n\t\tcurrent=\n\tfi\n"
		     "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords='");
	print_names(commands, out);
	fprintf(out, " --help --version'\n\telse\n\tcase ${COMP_WORDS[1]} in\n");
	for (int i = 0; commands[i].name; i++)
		print_bash_command(&commands[i], out);
	fprintf(out, "\thelp) words='");
	print_names(commands, out);
	fprintf(out, "' ;;\n\tesac\n\tfi\n"
		     "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
		     "\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
		     "\t[ \"${#COMPREPLY[@]}\" -gt 0 ] || compopt -o default\n}\n"
		     "complete -F _meshsim meshsim\n");
}

/* Prints text for use within single quotes, without characters that are special to zsh and fish. */
static void print_plain(const char *text, FILE *out)
{
	for (; *text && *text != '\v'; text++)
		if (!strchr("'[]:\\", *text))
			putc(*text, out);
}

static void print_zsh_option(const struct option_row *option, FILE *out)
{
	char words[256];

	fprintf(out, "\t\t\t'--%s%s[", option->name, option->value ? "=" : "");
	print_plain(option->help, out);
	if (*option_values(option->value, words, sizeof words))
		fprintf(out, "]:value:(%s)' \\\n", words);
	else
		fprintf(out, "]%s' \\\n", option->value ? ":value:_files" : "");
}

static void print_zsh(const struct command *commands, FILE *out)
{
	struct option_list list;
	char words[256];

	fprintf(out, "#compdef meshsim\n"
		     "# Completion of meshsim for zsh; made by `meshsim completion zsh'.\n"
		     "_meshsim()\n{\n\tlocal -a commands\n\tcommands=(\n");
	for (int i = 0; commands[i].name; i++) {
		fprintf(out, "\t\t'%s:", commands[i].name);
		print_plain(commands[i].help, out);
		fprintf(out, "'\n");
	}
	fprintf(out, "\t)\n\tif (( CURRENT == 2 )); then\n"
		     "\t\t_describe command commands\n\t\treturn\n\tfi\n"
		     "\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n"
		     "\tcase $command in\n");
	for (int i = 0; commands[i].name; i++) {
		option_list(&commands[i], &list);
		fprintf(out, "\t%s)\n\t\t_arguments \\\n", commands[i].name);
		for (uint32_t option = 0; option < list.count; option++)
			print_zsh_option(&list.options[option], out);
		if (*option_values(first_argument(&commands[i]), words, sizeof words))
			fprintf(out, "\t\t\t'*:value:(%s)' ;;\n", words);
		else
			fprintf(out, "\t\t\t'*:file:_files' ;;\n");
	}
	fprintf(out, "\tesac\n}\n_meshsim \"$@\"\n");
}

static void print_fish_option(
	const struct command *command, const struct option_row *option, FILE *out)
{
	char letter = option->letter, words[256];

	fprintf(out, "complete -c meshsim -n '__fish_seen_subcommand_from %s' -l %s", command->name,
		option->name);
	if (letter && letter != '?')
		fprintf(out, " -s %c", letter);
	if (*option_values(option->value, words, sizeof words))
		fprintf(out, " -x -a '%s'", words);
	else if (option->value)
		fprintf(out, " -r");
	fprintf(out, " -d '");
	print_plain(option->help, out);
	fprintf(out, "'\n");
}

static void print_fish(const struct command *commands, FILE *out)
{
	struct option_list list;
	char words[256];

	fprintf(out, "# Completion of meshsim for fish; made by `meshsim completion fish'.\n");
	for (int i = 0; commands[i].name; i++) {
		fprintf(out, "complete -c meshsim -f -n __fish_use_subcommand -a %s -d '",
			commands[i].name);
		print_plain(commands[i].help, out);
		fprintf(out, "'\n");
		option_list(&commands[i], &list);
		for (uint32_t option = 0; option < list.count; option++)
			print_fish_option(&commands[i], &list.options[option], out);
		if (*option_values(first_argument(&commands[i]), words, sizeof words))
			fprintf(out,
				"complete -c meshsim -n '__fish_seen_subcommand_from %s' -f -a "
				"'%s'\n",
				commands[i].name, words);
	}
}

bool completion_print(const char *shell, const struct command *commands, FILE *out)
{
	if (strcmp(shell, "bash") == 0)
		print_bash(commands, out);
	else if (strcmp(shell, "zsh") == 0)
		print_zsh(commands, out);
	else if (strcmp(shell, "fish") == 0)
		print_fish(commands, out);
	else
		return false;
	return true;
}
