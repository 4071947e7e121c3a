-- Whether tax deducted at source stands on documents follows a switch from now on. Until now it could be typed whatever the
-- switch said: who is here already keeps it.
update organisations set settings = settings || '{"tdsadjustments": true}', version = version + 1;
