-- A function that runs under its owner's role finds its tables where they stand. What is temporary comes last: it would come first
-- when it is not named, and whoever may make temporary tables (in a database of one's own everybody may) could put one before ours.
do $$
declare one regprocedure;
begin
  for one in select oid from pg_proc where prosecdef and pronamespace = 'public'::regnamespace and proowner = current_user::regrole loop
    execute format('alter function %s set search_path = public, pg_temp', one);
  end loop;
end $$;
