/** Words that passwords are most often made of: everyday ones, names, teams, brands, our own name; Russian ones in both scripts. */
const words = `
password passwort passw0rd pass word parol пароль welcome letmein login logmein access admin administrator root user guest test testing tester
demo example sample temp temporary default secret private master super superman system server service support manager office company business computer internet
online website network security secure change changeme please hello goodbye iloveyou loveyou love lover lovely forever always never
family friend friends mother father brother sister daughter baby angel angels princess prince queen king kitty kitten puppy
monkey dragon tiger lion eagle falcon wolf bear horse panda rabbit butterfly dolphin turtle spider chicken
sunshine sunny summer winter spring autumn flower flowers rose rainbow star stars moon ocean beach island mountain river forest garden
football soccer baseball basketball hockey softball volleyball tennis golf swimming liverpool arsenal chelsea manchester united barcelona
madrid juventus milan spartak zenit dynamo lakers yankees cowboys steelers packers patriots broncos raiders
batman spiderman starwars startrek pokemon naruto pikachu minecraft fortnite warcraft playstation nintendo xbox matrix hunter killer
shadow ghost phantom ninja samurai warrior soldier knight wizard magic mystery destiny legend phoenix thunder lightning blaster
mustang ferrari porsche mercedes toyota honda corvette camaro harley yamaha kawasaki audi bmw
apple google facebook microsoft windows samsung android iphone twitter instagram youtube amazon linkedin dropbox adobe
chocolate cookie cookies cheese banana orange strawberry cherry pepper coffee whiskey candy sugar ginger vanilla pumpkin peanut
michael michelle jennifer jessica jordan ashley amanda andrew anthony charlie christopher christian daniel david elizabeth
emily george hannah isabella jasmine john jonathan joseph joshua justin katherine kevin lauren matthew melissa natalie nicholas
nicole patrick rachel rebecca richard robert samantha samuel sarah sophia stephanie steven taylor thomas tyler vanessa veronica victoria
victor william alexander alexandra alexandr alexey andrey dmitry ekaterina elena evgeniy ivan irina kristina maksim maria marina
mikhail natasha nikita nikolay oksana olga pavel roman sergey svetlana tatiana vladimir vladislav yulia anastasia
lyubov privet russia moscow moskva london paris berlin newyork america american canada california texas florida chicago dallas houston
australia england france germany deutschland china india japan
любовь привет солнце россия москва наташа марина сергей андрей александр дмитрий максим екатерина кристина
freedom liberty peace heaven jesus christ blessed faith hope grace trust trustno trustnoone god
money dollar rich million lucky winner success power energy storage battery solar console essconsole inverter grid
music guitar metallica nirvana beatles eminem rock rocknroll dance singer
school college student teacher doctor nurse police fire engineer
happy smile crazy stupid sexy hottie cutie beautiful pretty sweet sweetheart honey darling
black white green blue red yellow purple silver golden gold diamond crystal platinum
one two three four five six seven eight nine zero january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
qwerty qwert asdf zxcv abc iloveu fuckyou fuck asshole whatever nothing something anything everything nobody
`
export const commonWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean))

/** Neighbours on the keyboard and in the alphabet; read in both directions. */
export const walks: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
].flatMap((walk) => [walk, [...walk].reverse().join('')])
