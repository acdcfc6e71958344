-- A new statement after the locks, since an enqueue or a dismissal may just have committed: sets each lane to its
-- next head, to its retry time, or removes it.
with clock as materialized (
    select clock_timestamp() as now
),
ours as materialized (
    select *
    from unnest($1::text[], $2::text[], $3::bigint[], $4::float8[], $5::boolean[], $6::boolean[], $7::float8[])
        with ordinality as ours (app, device, head, retry_after, answered, released, rest, place)
),
-- a dismissed notification is not tried again
dismissed as (
    delete from notifications
    where seq = any(array(
        select notifications.seq
        from ours
        join notifications on notifications.seq = ours.head
        join dismissals
            on dismissals.source = notifications.source
            and dismissals.event = notifications.event
            and dismissals.app = notifications.app
            and dismissals.device = notifications.device
        where ours.retry_after is not null and notifications.kind <> 'dismiss'
    ))
    returning seq
),
over as materialized (
    select ours.*, next.seq as next_head, next.send_at as next_at
    from ours
    join lanes on lanes.app = ours.app and lanes.device = ours.device
    left join lateral (
        select seq, send_at
        from notifications
        where notifications.app = ours.app
            and notifications.device = ours.device
            -- nothing sorts before a claimed head, and the bound skips the dead index entries of those before it
            and (notifications.send_at, notifications.seq) > (lanes.head_at, lanes.head)
        order by send_at, seq
        limit 1
    ) as next on true
    where ours.retry_after is null or ours.head in (select seq from dismissed)
),
moved as (
    update lanes
    set head = over.next_head,
        head_at = over.next_at,
        rest_until = greatest(lanes.rest_until, clock.now + make_interval(secs => over.rest)),
        due_at = greatest(over.next_at, lanes.rest_until, clock.now + make_interval(secs => over.rest)),
        attempts = 0,
        unanswered = 0,
        lease_until = '-infinity',
        lease_token = null
    from over cross join clock
    where lanes.app = over.app and lanes.device = over.device and over.next_head is not null
    returning over.place, lanes.due_at <= clock.now as due
),
removed as (
    delete from lanes
    using over
    where lanes.app = over.app and lanes.device = over.device and over.next_head is null
),
kept as (
    update lanes
    set rest_until = greatest(lanes.rest_until, clock.now + make_interval(secs => ours.rest)),
        due_at = case
            when ours.retry_after = 0 then lanes.due_at
            else greatest(
                lanes.head_at,
                lanes.rest_until,
                clock.now + make_interval(secs => ours.retry_after),
                clock.now + make_interval(secs => ours.rest)
            )
        end,
        attempts = lanes.attempts - ours.released::int,
        unanswered = lanes.unanswered - (ours.answered or ours.released)::int,
        lease_until = '-infinity',
        lease_token = null
    from ours cross join clock
    where lanes.app = ours.app and lanes.device = ours.device
        and ours.retry_after is not null
        and not exists (select from dismissed where dismissed.seq = ours.head)
)
select
    ours.place,
    coalesce((select due from moved where moved.place = ours.place), false) as released,
    exists (select from dismissed where dismissed.seq = ours.head) as dismissed
from ours
