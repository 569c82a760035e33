package vfs

import "syscall"

// isPseudo is true for an open file of a file system that the kernel makes up: proc,
// sysfs and their like, whose files look regular and may have no end, wait for
// somebody, or hold secrets.
func isPseudo(fd int) bool {
	var info syscall.Statfs_t
	if _, err := again(func() (int, error) { return 0, syscall.Fstatfs(fd, &info) }); err != nil {
		return true
	}
	switch uint32(info.Type) {
	case 0x9fa0, // proc
		0x62656572,           // sysfs
		0x64626720,           // debugfs
		0x74726163,           // tracefs
		0x73636673,           // securityfs
		0x27e0eb, 0x63677270, // cgroup, cgroup2
		0xcafe4a11,             // bpf
		0x1cd1,                 // devpts
		0x62656570,             // configfs
		0xde5e81e4,             // efivarfs
		0x6165676c,             // pstore
		0xf97cff8c, 0x43415d53, // selinux, smack
		0x65735543,                         // fusectl
		0x42494e4d,                         // binfmt_misc
		0x6e736673, 0x50495045, 0x19800202: // nsfs, pipefs, mqueue
		return true
	}
	return false
}
