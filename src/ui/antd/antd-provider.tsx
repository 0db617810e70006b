import '@ant-design/v5-patch-for-react-19'
import { ConfigProvider } from 'antd'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useTheme } from '#ui/theme/theme.ts'
import { useUiLocale } from '#ui/theme/ui-words.tsx'
import { antdTheme } from './theme.ts'
import { useAntdLocale } from './use-antd-locale.ts'

const InsideAntd = createContext(false)

/** antd with the kit's theme and locale. Each adapter mounts its own provider; a form with many inputs shares one. */
export function AntdProvider({ children }: { children: ReactNode }) {
  return useContext(InsideAntd) ? children : <Outermost>{children}</Outermost>
}

function Outermost({ children }: { children: ReactNode }) {
  const { theme } = useTheme()
  const locale = useAntdLocale(useUiLocale())
  const config = useMemo(() => antdTheme(theme), [theme])
  return (
    <InsideAntd value={true}>
      <ConfigProvider theme={config} locale={locale}>
        {children}
      </ConfigProvider>
    </InsideAntd>
  )
}
