# Reads what to reap from its standard input, one entry a line, and acts when the input ends: the writer is gone.
#   kill <pid>       a child that leads its own process group: the whole group is killed
#   stop <pid>       a postmaster: told to stop at once, so that its own children end first
#   remove <folder>
#   forget <entry>   it ended, or was removed, in good order
trap '' HUP INT TERM
cd /

# The kept entries are the positional parameters: folders may contain spaces.
while IFS= read -r entry; do
  case $entry in
    'forget '*)
      forgotten=${entry#forget }
      for kept do
        shift
        [ "$kept" = "$forgotten" ] || set -- "$@" "$kept"
      done
      ;;
    *) set -- "$@" "$entry" ;;
  esac
done

for entry do
  case $entry in
    'kill '*) kill -KILL "-${entry#kill }" 2>/dev/null ;;
    'stop '*) kill -QUIT "${entry#stop }" 2>/dev/null ;;
  esac
done

# A folder is removed only after its postmaster has ended, or the postmaster would write into it again.
for entry do
  case $entry in
    'stop '*)
      pid=${entry#stop }
      tries=0
      while kill -0 "$pid" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -gt 100 ] && kill -KILL "$pid" 2>/dev/null && break
        sleep 0.05 2>/dev/null || sleep 1
      done
      ;;
  esac
done

for entry do
  case $entry in
    'remove '*)
      for try in 1 2 3 4 5; do
        rm -rf "${entry#remove }" 2>/dev/null && break
        sleep 1
      done
      ;;
  esac
done
