-- Grows only when the last pause was over (its probe failed): a window full of failures is one verdict, not 84. While
-- it stands it keeps its reason, which says what the probe's answer is worth.
with clock as materialized (
    select clock_timestamp() as now
)
insert into pauses (app, until, reason, step, paused_at)
select $1, clock.now + make_interval(secs => greatest($3::float8, $5::float8)), $2, 0, clock.now
from clock
on conflict (app) do update
set reason = case when pauses.until <= (select now from clock) then excluded.reason else pauses.reason end,
    step = pauses.step + (pauses.until <= (select now from clock))::int,
    until = case
        when pauses.until <= (select now from clock)
            then (select now from clock)
                + make_interval(secs => greatest(least($3::float8 * 2 ^ least(pauses.step + 1, 30), $4::float8), $5::float8))
        else greatest(pauses.until, (select now from clock) + make_interval(secs => $5::float8))
    end,
    probe_until = '-infinity',
    paused_at = case when pauses.until <= (select now from clock) then excluded.paused_at else pauses.paused_at end,
    -- posted again when it grows
    posted_at = case when pauses.until <= (select now from clock) then null else pauses.posted_at end,
    posting_until = case
        when pauses.until <= (select now from clock) then '-infinity'
        else pauses.posting_until
    end
returning extract(epoch from until - (select now from clock))::float8 as seconds
