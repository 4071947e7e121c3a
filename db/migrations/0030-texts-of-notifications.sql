-- Notifications keep the sentence of a catalogue with its values, beside its English. Those of before have the English alone.
alter table notifications add column text jsonb;
