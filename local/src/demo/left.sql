-- a lane goes with its last notification
select (select count(*) from notifications) + (select count(*) from lanes)
