# SPDX-License-Identifier: Apache-2.0
#
# make help: targets with a comment "## [group] what it does", by group.

BEGIN {
	count = split("first steps|build|install and package|test|measure|prove and harden|" \
		      "hardware|source", order, "|")
}
match($0, /^[a-z-]+:.*## \[[a-z ]+\] /) {
	target = $0
	sub(/:.*/, "", target)
	group = $0
	sub(/.*## \[/, "", group)
	what = group
	sub(/\].*/, "", group)
	sub(/[^]]*\] /, "", what)
	known = 0
	for (i = 1; i <= count; i++)
		known += order[i] == group
	if (!known) {
		print FILENAME ": there is no group [" group "]" >"/dev/stderr"
		exit failed = 1
	}
	lines[group] = lines[group] sprintf("  %-20s %s\n", target, what)
}
END {
	if (failed)
		exit 1
	for (i = 1; i <= count; i++)
		if (lines[order[i]] != "")
			printf("%s%s\n%s", (i > 1 ? "\n" : ""), order[i], lines[order[i]])
	print "\nvariables"
	print "  JOBS=2               programs built and tests run at once; the number of cores"
	print "  TEST='a* b'          only the tests of these names, in every target that tests"
	print "  TIME_SCALE=4         every time limit of a test times this, for a slow machine"
	print "  NO_SETUP=1           install no package of the distribution"
}
