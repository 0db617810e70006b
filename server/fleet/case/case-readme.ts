/** Contents of the archive, for a reader without this console. */
export const caseReadme = `CASE FILE

Everything that was recorded around one warning of one control board.
All times are UTC unless a column names another zone. Text is UTF-8.

manifest.json       what this archive holds: the time it covers, how many rows,
                    the size and SHA-256 of every file beside it
warning.json        the warning: values, thresholds, what was measured then,
                    who did what about it, comments
telemetry.csv       every sample of the time; units stand in the head
packages.csv        every raw packet: bytes in hex, whether they were in order,
                    the reasons why not, and the fields that were read from them
configuration.json  the configuration in force when the time began, and each
                    version asked for in it, with what it changed
updates.json        firmware updates under way in that time, with their events

To see that a file is unharmed: sha256sum FILE, compared with manifest.json.


ДОСЬЕ

Всё, что записано вокруг одного предупреждения одной платы управления.
Время указано в UTC, если столбец не называет другой пояс. Кодировка UTF-8.

manifest.json       что лежит в архиве: за какое время, сколько строк,
                    размер и SHA-256 каждого файла
warning.json        предупреждение: значения, пороги, что было измерено,
                    кто что с ним сделал, комментарии
telemetry.csv       все измерения за это время; единицы в заголовке
packages.csv        все пакеты: байты в hex, были ли они верны, причины,
                    если нет, и прочитанные из них поля
configuration.json  конфигурация в начале этого времени и все версии,
                    запрошенные в нём, с тем, что они меняли
updates.json        обновления прошивки в этом времени, с событиями

Проверить целостность файла: sha256sum ФАЙЛ и сравнить с manifest.json.
`
