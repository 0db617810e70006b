/** Renames the model column, whose name did not match its field, so that its title could not be shown. */
export const essModelName = `
do $$ begin
  if exists (select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'ess' and column_name = 'modelId') then
    alter table "ess" rename column "modelId" to "essModelId";
    drop index if exists "ess_modelId_ix";
  end if;
end $$;
`
