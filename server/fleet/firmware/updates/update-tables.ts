/** Marks failures that were retried automatically: they do not count against a rollout. A new database has none yet. */
export const retriedUpdates = `
do $$ begin
  if to_regclass('"firmware_update"') is null then return; end if;
  alter table "firmware_update" add column if not exists "retried" boolean;
  update "firmware_update" "u" set "retried" = true where "u"."status" in ('FAILED', 'EXPIRED') and exists (select 1
    from "firmware_update" "r" where "r"."retryOfId" = "u"."id" and "r"."events"->0->>'source' = 'SERVER');
end $$;
`
