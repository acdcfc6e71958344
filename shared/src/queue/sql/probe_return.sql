update pauses set probe_until = '-infinity' where app = $1
