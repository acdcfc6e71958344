-- The lock is held in a transaction that stays idle, so no time-out for idle ones may end it.
select set_config(name, '0', true)
from pg_settings
where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')
