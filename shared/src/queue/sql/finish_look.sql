-- Tells what was skipped from what is lost: a second look without a lock.
select ours.place
from unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[])
    with ordinality as ours (app, device, head, token, place)
join lanes on lanes.app = ours.app and lanes.device = ours.device
where lanes.head = ours.head and lanes.lease_token = ours.token
