select not exists (select from notifications)
