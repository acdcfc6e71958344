delete from pauses where app = $1
