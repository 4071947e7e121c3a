-- How often an address has knocked at a page that is open to strangers, counted for all processes on this database together.
create table knocks (
  page text not null, address text not null, taken int not null, until timestamptz not null,
  primary key (page, address)
);
insert into global_tables values ('knocks', 'counted before anybody is signed in');
grant select, insert, update, delete on knocks to bahi_app;

-- One more; answers the how-manieth it is, and in how many milliseconds counting begins again.
create function count_knock(at_page text, place text, milliseconds int, out taken int, out left_over int) language sql set search_path = public, pg_temp as $$
  insert into knocks as k (page, address, taken, until)
  values (at_page, place, 1, clock_timestamp() + milliseconds * interval '1 millisecond')
  on conflict (page, address) do update set
    taken = case when k.until <= clock_timestamp() then 1 else k.taken + 1 end,
    until = case when k.until <= clock_timestamp() then excluded.until else k.until end
  returning k.taken, greatest(1, ceil(extract(epoch from k.until - clock_timestamp()) * 1000))::int
$$;
revoke all on function count_knock(text, text, int) from public;
grant execute on function count_knock(text, text, int) to bahi_app;
