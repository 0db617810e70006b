/**
 * Migration: the delay of notices becomes one of four values; other values are rounded down, so that no notice is later than
 * requested. Users other than admins and moderators had every site preset; exactly that preset becomes the default of the role.
 * A new database has no such table yet.
 */
export const noticeChoices = `
do $$ begin
  if to_regclass('"user"') is null then return; end if;
  update "user" set "notificationPrefs" = jsonb_set("notificationPrefs", '{delayMin}', to_jsonb(case
      when ("notificationPrefs"->>'delayMin')::float8 >= 1440 then 1440 when ("notificationPrefs"->>'delayMin')::float8 >= 60 then 60
      when ("notificationPrefs"->>'delayMin')::float8 >= 15 then 15 else 0 end))
    where jsonb_typeof("notificationPrefs"->'delayMin') = 'number'
      and ("notificationPrefs"->>'delayMin')::float8 not in (0, 15, 60, 1440);
  update "user" set "notificationPrefs" = jsonb_set("notificationPrefs", '{sites}', '"RELATED"')
    where "role" not in ('admin', 'moderator')
      and "notificationPrefs" = '{"push": "CRITICAL", "email": "OFF", "delayMin": 0, "sites": "ALL"}';
end $$;
`
