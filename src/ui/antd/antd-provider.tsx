import '@ant-design/v5-patch-for-react-19'
import { ConfigProvider } from 'antd'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useTheme } from '#ui/theme/theme.ts'
import { useUiLocale } from '#ui/theme/ui-words.tsx'
import { antdTheme } from './theme.ts'
import { useAntdLocale } from './use-antd-locale.ts'

const InsideAntd = createContext(false)

/** antd in the kit's look and language. Each adapter brings its own; around a whole form one serves all. */
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
