/**
 * The delay of notices is one of four since then: any other becomes the next shorter one, so that nobody hears later than he asked.
 * People who are no admins or moderators were given every site without having chosen it; who has exactly what he was given gets the
 * default of his role. A new database has no such table yet.
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
