-- Dead rows that no vacuum has removed yet, by the statistics of our tables: the database may hold others.
select coalesce(sum(n_dead_tup), 0)::bigint as dead
from pg_stat_user_tables
where schemaname = current_schema()
    and relname in (
        'dead_tokens', 'dismissals', 'lanes', 'notifications', 'past_pauses', 'pauses', 'quotas', 'receipts'
    )
