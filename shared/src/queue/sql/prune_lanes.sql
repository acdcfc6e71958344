-- A new statement after the locks: gives lanes whose head is gone their next one, or removes them.
with next as materialized (
    select wanted.app, wanted.device, next.seq, next.send_at
    from unnest($1::text[], $2::text[]) as wanted (app, device)
    left join lateral (
        select seq, send_at
        from notifications
        where notifications.app = wanted.app and notifications.device = wanted.device
        order by send_at, seq
        limit 1
    ) as next on true
),
moved as (
    update lanes
    set head = next.seq,
        head_at = next.send_at,
        due_at = greatest(next.send_at, lanes.rest_until),
        attempts = 0,
        unanswered = 0,
        lease_token = null
    from next
    where lanes.app = next.app and lanes.device = next.device and next.seq is not null
)
delete from lanes
using next
where lanes.app = next.app and lanes.device = next.device and next.seq is null
