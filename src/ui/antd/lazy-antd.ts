import { type ComponentType, createElement, type ReactNode, Suspense } from 'react'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ControlSkeleton } from '#ui/input/control-skeleton.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { whenIdle } from '#ui/layout/when-idle.ts'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import type { ModalDialogProps } from './modal-dialog.tsx'
import type { NumberInputProps } from './number-input.tsx'
import type { PeriodInputProps } from './period-input.tsx'
import type { SelectInputProps } from './select-input.tsx'
import type { SwitchInputProps } from './switch-input.tsx'
import type { TagsInputProps } from './tags-input.tsx'
import type { TextAreaInputProps } from './text-area-input.tsx'
import type { UploadInputProps } from './upload-input.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>

const load = {
  provider: () => import('./antd-provider.tsx').then((module) => module.AntdProvider),
  numberInput: () => import('./number-input.tsx').then((module) => module.NumberInput),
  calendarPopup: () => import('./calendar-popup.tsx').then((module) => module.CalendarPopup),
  periodInput: () => import('./period-input.tsx').then((module) => module.PeriodInput),
  selectInput: () => import('./select-input.tsx').then((module) => module.SelectInput),
  tagsInput: () => import('./tags-input.tsx').then((module) => module.TagsInput),
  switchInput: () => import('./switch-input.tsx').then((module) => module.SwitchInput),
  textAreaInput: () => import('./text-area-input.tsx').then((module) => module.TextAreaInput),
  uploadInput: () => import('./upload-input.tsx').then((module) => module.UploadInput),
  modalDialog: () => import('./modal-dialog.tsx').then((module) => module.ModalDialog),
  confirmDialog: () => import('./confirm-dialog.tsx').then((module) => module.ConfirmDialog),
  notification: () => import('./notification.tsx').then((module) => module.showNotification),
}

/** A lazy component with its own fallback, so its users need no Suspense boundary. */
function deferred<Props extends object>(loadPart: Load<Props>, fallback: ReactNode): ComponentType<Props> {
  const Part = lazyCode(() => loadPart().then((component) => ({ default: component })))
  return (props) => createElement(Suspense, { fallback }, createElement<Props>(Part, props))
}

const control = createElement(ControlSkeleton)

export const NumberInput = deferred<NumberInputProps>(load.numberInput, control)
export const PeriodInput = deferred<PeriodInputProps>(load.periodInput, control)
export const SelectInput = deferred<SelectInputProps>(load.selectInput, control)
export const TagsInput = deferred<TagsInputProps>(load.tagsInput, control)
export const SwitchInput = deferred<SwitchInputProps>(load.switchInput, control)
export const TextAreaInput = deferred<TextAreaInputProps>(load.textAreaInput, control)
export const UploadInput = deferred<UploadInputProps>(load.uploadInput, control)
export const ModalDialog = deferred<ModalDialogProps>(load.modalDialog, null)
export const ConfirmDialog = deferred<ConfirmDialogProps>(load.confirmDialog, null)

/** One antd configuration for a form with many inputs, instead of one per input. */
export const AntdProvider = deferred<{ children: ReactNode }>(load.provider, createElement(Skeleton, { lines: 8, height: 20 }))

/** Preloads antd while the browser is idle, so that the first form or dialog opens at once. */
export function warmUp(): void {
  // A failed preload is harmless: the component loads again on first use.
  whenIdle(() => void Promise.all(Object.values(load).map((fetchPart) => fetchPart())).catch(() => undefined))
}
