-- The digest of a kept return is taken of what is stored, so that anybody who reads the row can take it again; before, it was taken of
-- a text that the database does not keep. Returns kept before this get theirs anew; the edit log has that change.
create function return_digest(tables jsonb, documents jsonb, file jsonb) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(tables, documents, file)::text, 'UTF8'))
$$;
grant execute on function return_digest(jsonb, jsonb, jsonb) to bahi_app;

alter table gst_returns_kept disable trigger written_once;
update gst_returns_kept set digest = return_digest(tables, documents, file);
alter table gst_returns_kept enable trigger written_once;
