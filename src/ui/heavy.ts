import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import type { ConfirmDialogProps } from './antd/confirm-dialog.tsx'
import type { DrawerPanelProps } from './antd/drawer-panel.tsx'
import type { ModalDialogProps } from './antd/modal-dialog.tsx'
import type { NumberInputProps } from './antd/number-input.tsx'
import type { SelectInputProps } from './antd/select-input.tsx'
import type { SwitchInputProps } from './antd/switch-input.tsx'
import type { TagsInputProps } from './antd/tags-input.tsx'
import type { TextAreaInputProps } from './antd/text-area-input.tsx'
import type { UploadInputProps } from './antd/upload-input.tsx'
import { ControlSkeleton } from './control-skeleton.tsx'
import { Skeleton } from './skeleton.tsx'
import { whenIdle } from './when-idle.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

const load = {
  provider: () => import('./antd/antd-provider.tsx').then((module) => module.AntdProvider),
  numberInput: () => import('./antd/number-input.tsx').then((module) => module.NumberInput),
  selectInput: () => import('./antd/select-input.tsx').then((module) => module.SelectInput),
  tagsInput: () => import('./antd/tags-input.tsx').then((module) => module.TagsInput),
  switchInput: () => import('./antd/switch-input.tsx').then((module) => module.SwitchInput),
  textAreaInput: () => import('./antd/text-area-input.tsx').then((module) => module.TextAreaInput),
  uploadInput: () => import('./antd/upload-input.tsx').then((module) => module.UploadInput),
  modalDialog: () => import('./antd/modal-dialog.tsx').then((module) => module.ModalDialog),
  confirmDialog: () => import('./antd/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
  drawerPanel: () => import('./antd/drawer-panel.tsx').then((module) => module.DrawerPanel),
  notification: () => import('./antd/notification.tsx').then((module) => module.showNotification),
}

/** A part with its own stand-in: who uses it needs no Suspense and does not wait for it. */
function deferred<Props extends object>(loadPart: Load<Props>, fallback: ReactNode): ComponentType<Props> {
  const Part = lazy(() => loadPart().then((component) => ({ default: component })))
  return (props) => createElement(Suspense, { fallback }, createElement<Props>(Part, props))
}

const control = createElement(ControlSkeleton)

export const NumberInput = deferred<NumberInputProps>(load.numberInput, control)
export const SelectInput = deferred<SelectInputProps>(load.selectInput, control)
export const TagsInput = deferred<TagsInputProps>(load.tagsInput, control)
export const SwitchInput = deferred<SwitchInputProps>(load.switchInput, control)
export const TextAreaInput = deferred<TextAreaInputProps>(load.textAreaInput, control)
export const UploadInput = deferred<UploadInputProps>(load.uploadInput, control)
export const ModalDialog = deferred<ModalDialogProps>(load.modalDialog, null)
export const ConfirmDialog = deferred<ConfirmDialogProps>(load.confirmDialog, null)
export const DrawerPanel = deferred<DrawerPanelProps>(load.drawerPanel, null)

/** Around a form with many inputs: they share one antd configuration instead of having one each. */
export const AntdProvider = deferred<{ children: ReactNode }>(load.provider, createElement(Skeleton, { lines: 8, height: 20 }))

/** Fetches antd when the browser has nothing better to do, so that the first form or dialog opens at once. */
export function warmUp(): void {
  // A failure here is none: the part asks again when it is needed.
  whenIdle(() => void Promise.all(Object.values(load).map((fetchPart) => fetchPart())).catch(() => undefined))
}
