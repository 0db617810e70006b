import { useOne } from '@refinedev/core'
import { isNotified } from '#schema/roles.ts'
import { useAccount } from '#shell/account.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { useWords } from '#shell/use-words.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { AppearanceCard } from './appearance-card.tsx'
import { DataCard } from './data-card.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { DevicesCard } from './devices-card.tsx'
import { EmailForm } from './email-form.tsx'
import { FactorCard } from './factor-card.tsx'
import { NoticesForm } from './notices-form.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordForm } from './password-form.tsx'
import { PersonalForm } from './personal-form.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function ProfilePage() {
  const words = useWords()
  const { user, signOut } = useAccount()
  const { query } = useOne({ resource: 'user', id: user.id, errorNotification: false })
  const record = query.data?.data
  if (query.error && !record) return <ErrorScreen error={query.error} />
  const pendingEmail: unknown = record?.pendingEmail
  const hasNotices = isNotified(user.role)
  const signOutButton = (
    <Button icon="logout" onClick={() => void signOut()}>
      {words('buttons.signOut')}
    </Button>
  )
  return (
    <>
      <PageHeader title={words('profile.title')} actions={signOutButton} />
      <div className="shell-stack">
        <Card>
          <DescriptionList
            items={[
              { key: 'email', label: words('profile.email'), value: user.email },
              { key: 'role', label: words('role.label'), value: words(`role.${user.role}`) },
            ]}
          />
        </Card>
        {!record && <Skeleton lines={6} height={20} />}
      </div>
      {/* The other cards ask for what they show at once, and appear with the forms above them. */}
      <div className="shell-stack shell-stack-wide" hidden={!record}>
        {record && <PersonalForm record={record} />}
        <AppearanceCard />
        {record && hasNotices && <NoticesForm record={record} />}
        <EmailForm pending={typeof pendingEmail === 'string' ? pendingEmail : undefined} />
        <PasswordForm />
        <FactorCard />
        <PasskeysCard />
        <SessionsCard />
        {hasNotices && <DevicesCard />}
        <DataCard />
        <DeletionCard />
      </div>
    </>
  )
}
