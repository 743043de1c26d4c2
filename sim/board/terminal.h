/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pseudo-terminal of a simulated board. LINK, the path that points to it, belongs to one board:
 * that of a running board is not replaced, that of a board that was killed is, and no other file.
 */
#ifndef RFSIM_BOARD_TERMINAL_H
#define RFSIM_BOARD_TERMINAL_H

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

[[noreturn]] inline void fail(const char *program, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, strerror(errno));
	exit(1);
}

/* A lock on the far end distinguishes a running board from a killed one; hosts use flock(). */
inline struct flock whole_file()
{
	struct flock lock = {};

	lock.l_type = F_WRLCK;
	lock.l_whence = SEEK_SET;
	return lock;
}

inline std::string link_target(const std::string &link)
{
	char target[64];
	ssize_t bytes = readlink(link.c_str(), target, sizeof(target));

	return std::string(target, bytes > 0 && bytes < (ssize_t)sizeof(target) ? bytes : 0);
}

/* The link of a board that does not run any more goes. Its number may be @own's by now. */
inline void remove_old(const char *program, const std::string &link, const std::string &own)
{
	struct flock lock = whole_file();
	struct stat status;
	int file;

	if (lstat(link.c_str(), &status))
		return; /* else symlink() reports the error */
	if (link_target(link).compare(0, 9, "/dev/pts/")) {
		errno = EEXIST;
		fail(program, link.c_str());
	}
	file = open(link.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (file < 0 && errno != ENOENT && errno != EIO)
		fail(program, link.c_str());
	if (file >= 0 && fcntl(file, F_OFD_GETLK, &lock))
		fail(program, link.c_str());
	if (file >= 0 && lock.l_type != F_UNLCK && link_target(link) != own) {
		fprintf(stderr, "%s: %s: another board has it\n", program, link.c_str());
		exit(1);
	}
	if (file >= 0)
		close(file);
	if (unlink(link.c_str()))
		fail(program, link.c_str());
}

/* Both ends of the pseudo-terminal; the far one stays open so that it never hangs up. */
class Terminal {
public:
	Terminal(const char *name, const std::string &path, volatile sig_atomic_t &end) :
	    program(name), link(path), ended(end)
	{
		struct flock lock = whole_file();
		struct termios settings;

		near = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
		if (near < 0 || grantpt(near) || unlockpt(near))
			fail(program, "pseudo-terminal");
		far = open(ptsname(near), O_RDWR | O_NOCTTY);
		if (far < 0 || tcgetattr(far, &settings))
			fail(program, "pseudo-terminal");
		cfmakeraw(&settings);
		if (tcsetattr(far, TCSANOW, &settings))
			fail(program, "pseudo-terminal");
		if (fcntl(far, F_OFD_SETLK, &lock))
			fail(program, "pseudo-terminal");
		remove_old(program, link, ptsname(near));
		if (symlink(ptsname(near), link.c_str()))
			fail(program, link.c_str());
	}
	~Terminal()
	{
		if (link_target(link) == ptsname(near))
			unlink(link.c_str());
	}
	std::string read()
	{
		char bytes[256];
		ssize_t count = ::read(near, bytes, sizeof(bytes));

		return count > 0 ? std::string(bytes, count) : std::string();
	}
	void write(uint8_t byte) { write(std::string(1, (char)byte)); }
	void write(const std::string &bytes)
	{
		for (size_t sent = 0; sent < bytes.size() && !ended;) {
			ssize_t count = ::write(near, bytes.data() + sent, bytes.size() - sent);
			struct pollfd line = { near, POLLOUT, 0 };

			if (count > 0)
				sent += count;
			else if (errno == EAGAIN)
				poll(&line, 1, 100);
			else if (errno != EINTR)
				fail(program, "write");
		}
	}

private:
	const char *program;
	std::string link;
	volatile sig_atomic_t &ended; /* the process shall go */
	int near, far;
};

#endif
