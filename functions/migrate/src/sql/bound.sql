-- $3: for this transaction only
select set_config('lock_timeout', $1, $3), set_config('statement_timeout', $2, $3)
