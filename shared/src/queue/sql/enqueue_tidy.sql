-- Removes the placeholders of lanes in which nothing was queued; they are locked since the upsert.
delete from lanes
using unnest($1::text[], $2::text[]) as wanted (app, device)
where lanes.app = wanted.app and lanes.device = wanted.device and lanes.head = 0
