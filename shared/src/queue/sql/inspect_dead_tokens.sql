select dead_tokens.app, dead_tokens.reason, dead_tokens.dead_at, dead_tokens.source, dead_tokens.event
from unnest($1::text[]) as wanted (app)
join dead_tokens on dead_tokens.device = $2 and dead_tokens.app = wanted.app
order by dead_tokens.dead_at desc
limit $3
