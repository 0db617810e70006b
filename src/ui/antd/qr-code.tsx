import '@ant-design/v5-patch-for-react-19'
import { QRCode } from 'antd'
import { AntdProvider } from './antd-provider.tsx'

export type QrCodeProps = { text: string; label: string }

/** A QR code, black on white in every theme: cameras read other colours less reliably. */
export function QrCode({ text, label }: QrCodeProps) {
  return (
    <AntdProvider>
      <QRCode value={text} type="svg" size={180} color="#000" bgColor="#fff" aria-label={label} role="img" />
    </AntdProvider>
  )
}
