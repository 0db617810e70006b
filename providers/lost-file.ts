/** The first file of a call that can no longer be read as it was chosen: it was changed, moved or removed. */
export async function lostFile(data: unknown): Promise<File | undefined> {
  const sent: unknown[] = data instanceof FormData ? [...data.values()] : [data]
  const files = sent.filter((value) => value instanceof File)
  const reads = await Promise.allSettled(files.map((file) => file.slice(0, 1).arrayBuffer()))
  return files.find((_file, index) => reads[index]?.status === 'rejected')
}
