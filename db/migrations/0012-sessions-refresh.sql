-- One process at a time refreshes a session's tokens: an issuer that rotates them takes a second use for theft and ends
-- the session. The same mark keeps a session from asking again at once when the issuer does not answer.
alter table sessions add column refreshing_until timestamptz;
