// What most people choose, in lower case. From @zxcvbn-ts/language-common 4.1.3 (MIT; frequencies of leaked passwords) and from
// the list of Django 5.2.17 (django/contrib/auth/common-passwords.txt.gz, BSD-3-Clause, by Royce Williams): every entry of 12
// characters or more of both, and the 1,000 most frequent entries of the first that are letters alone.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Common passwords that are long enough to be taken otherwise. */
export const commonPasswords = words(`
  000000000000 010203040506 012345678910 014702580369 01telemike01 050605rostik 0r968ji9ufj6
  102030405060 111111111111 111111111111111 1111111111zz 111222333000 111222333444555 111222tianya 112233445566 122333444455555
  123123123123 123123qweqwe 123321123321 123321456654 123321qweewq 123456123456 123456654321 12345677654321 123456782000
  1234567887654321 1234567890-= 123456789000 12345678900987654321 123456789012 1234567890123 12345678901234567890
  1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890qwertyuiop 1234567890zzz 123456789101
  1234567891011 123456789101112 123456789123 123456789123456 1234567891234567 123456789123456789 1234567892000
  12345678987654321 123456789987654321 123456789aaa 123456789abc 123456789asd 123456789qaz 123456789qqq 123456789qwe
  123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu 123456qwerty 123456zxcvbn 1234qwerasdf 1234qwerasdfzxcv
  123admin321a 123ewqasdcxz 123qwe123qwe 123qwe456rty 123qweasdzxc 123qwerty123 12qw34er56ty 159753159753 159753456852
  193570356033 19960610ilja 1a2a3a4a5a6a 1a2s3d4f5g6h 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o
  1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4 23176djivanfros
  23wkoa0fp78dk 31217221027711 32615948worms 41d8cd98f00b 420842084208555 4815162342lf 4815162342lost 520love101182
  541233432442 5532361cnjqrf 59382113kevinp 6215mila6215 742617000027 89063032220m 89231243658s 89876065093rax 89semtsriuty
  ??????@mail.ru a1s2d3f4g5h6 abc123456789 admin18533362 administrator aksjdlasdakj89879 alpha135792468 amadeusptfcor
  an83546921an13 andrewjackie antananarivu anytimetoday arabella24630 asd123asd123 asdfgh123456 asdfghjkl123 asdfghjkl:&#39:
  auckland2010 avrillavigne badiman28200 bhrh0h2oof6xbqjeh blacksonblon bltynbabrfwbz boy4u2ownnyc bpgjldsgjldthnf bullnuts2003
  businessbabe cheeseburger chesterfield chickenwing101 christopher1 civilization cjdthitycndj cnfc35762209 combat123654
  configuratio construction contortionist cookiemonster corperfmonsy cosmopolitan counterstrike demon1q2w3e4r demon1q2w3e4r5t
  devilmaycry4 dfg5fhg5vgfh1 digitalprodu dkflbvbhjdbx dkflbvbhjdyf domainlock2005 doomsayer.2.7mords.v doomsayer.2.7mords.vv
  edwardcullen entertainment ezekiel11991 fallen_angel familiyafamiliya fatima753357 finalfantasy findaupair007 fkmnthyfnbdf
  fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh foreveryoung frederiksberg fucktheworld fuckyoubitch fynfyfyfhbde
  g13916055158 gettherefast gfhfktkjuhfv gfhjkmgfhjkm ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649 ghjatccbjyfk ghjcnjgbpltw
  ghjcnjgfhjkm ghjcnjghjcnj ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt ghtdtlvtldtl gjkysqgbpltw googletester greenlantern
  gthtrfnbgjkt gtnhjpfdjlcr hannahmontana hawkesbury93 hd764nw5d7e1vb1 hd764nw5d7e1vbv hedimaptfcor heterosexual iampurehaha2
  ichliebedich ihatethisgame iloveboobies ilovemyfamily imyaimyaimya inactive1996aug ingodwetrust installdevic installsqlst
  intelligence international internazionale ipo54tj45uy856 iseedeadpeople jamesbond007 jesuslovesme jkiuztdftl57
  john!20130605at1753 josephphone7 jundian2011xr justinbieber kartoffelpuffer knackwurst8853 ktjynsq40147 laurel12creek
  leavemealone leliane50934 lhbjkjubz2957704 lightpower12345 linkedin2011 liverpool123 lost4815162342 love777321777
  lovelovelove lydcc20091314 lytdybrbdfvgbhf lytghjgtnhjdcr m01759766727 mailcreated5240 manchesterunited maprchem56458
  marek14michal marinamarina massimiliano masterbaiting masterbating masturbation maurolarastefy mega_pizdetz666 megaparol12345
  mevefalkcakk michaeljackson migrationschool minecraft123 minnesota_hp moderncombat momsanaladventure morganstanley
  mortalkombat motherfucker msoracle32re msorcloledbr n8zgt5p0shw= nastyanastya natiichen999 ne_e_pod_chehyl necronomicon
  needforspeed nemvxyheqdd5oqxyxyzi networkingpe neworleans12345 newproject2004 nhbujyjvtnhbz nhecsyfujkjdt nhfdvfnjkju123
  nhfycajhvths nick1234-rem936 nightcrawler nondriversig ntktdbpjh1994 olcrackmaster onedirection ontheoutside paraklast1974
  password1234 password12345 password123456 passwordassword passwordpassword passwordstandard pe#5gz29ptzmse peanutbutter
  pfqwtd27121988 philadelphia playstation2 playstation3 polniypizdec0211 polniypizdec1102 polniypizdec110211 pornographic
  professional projectsadminx przyjaciolki ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
  q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh qaz123wsx456 qazwsx123456 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazwsxqazwsx
  qazxswedc123 qazxswedcvfr qwaszxerdfcv qwe123qwe123 qweasdzxc123 qwegta13091990 qwerasdfzxcv qwertasdfgzxcvb qwerty123456
  qwerty123456789 qwertyasdfgh qwertyqwerty qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiop[] qwertyytrewq
  residentevil rfnthbyf1988 ronaldinho10 s8ylpe9jdpvym sanfrancisco satisfaction saun24865709 scandinavian schoolgirlie
  sdf7asdf6asdg8df sdicmt7seytn sebastian106 seemnemaailm seniseviyorum sojdlg123aljg somanypickles27 sonnenschein sonyericsson
  specialinsta startfinding starwarsfan10 stefangreil1983 stickdaddy77 stinkyfinger stratocaster supernatural systemofadown
  telechargement temppassword thecakeisalie ticketmaster total12scherz transformers unbelievable vanyarespekt vfhbyfvfhbyf
  vfrcbvvfrcbv vfvfvskfhfve vitor1268123 vladimirovna warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat
  weihnachtsbau weihnachtsbaum weronika1992 whosyourdaddy xantria10315 xtseo2011tdx xxxp455w0rd5 yandi20080527 yemi19900911
  yfdbufnjh10305070 z1x2c3v4b5n6 z1x2c3v4b5n6m7 zaq12wsxcde3 zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz zmx870919123
  zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456 zxcvbnm123456789 zxcvbnmmnbvcxz
`);

/** Common passwords of letters alone: digits and signs around them make them no better. */
export const commonWords = words(`
  access accord action adam adidas admin adrian airborne airforce airplane alabama alaska albert alex alexande alexander
  alexandr alexis alicia alison allison alpha alyssa amanda amber america american anderson andre andrea andrew andrey angel
  angela angels animal anna anthony antonio apache apollo apple apples arizona arnold arsenal arthur asdasd asdf asdfasdf asdfg
  asdfgh asdfghjk asdfghjkl ashley asshole assman atlanta august austin avalon avatar awesome azerty baby babygirl badass
  badboy badger bailey baller bambam banana bandit barbara barbie barney baseball basketball bastard batman baxter bear beatles
  beauty beaver beavis beer benjamin berlin bigboy bigcock bigdaddy bigdick bigdog bigmac bigman bigred bigtits bill billy
  billybob birdie bishop bitch bitches biteme black blazer blizzard blonde blowjob blowme blue bluebird bobafett bobby bollocks
  bondage bonnie boobies booboo boobs booger boogie boomer boston bowling bradley brandon brandy braves brazil brenda brian
  britney brittany bronco broncos brooke brooklyn brother browns brutus bubba bubble bubbles buddha buddy budlight buffalo
  bulldog bulldogs bullet bullshit burton business buster butter butthead cadillac caesar calvin camaro cameron canada cancer
  candy cannon captain cardinal carlos carmen carolina caroline carrie carter cartman casino casper cassie catfish celtic
  champion chance changeme charles charlie cheese chelsea cherokee cherry cheryl chester chevelle chevy cheyenne chicago
  chicken chocolat chopper chris christ christin chronic cjkysirj claire classic claudia clinton cobra cocacola cock coffee
  college colorado compaq computer connie connor control cookie cool cooper copper corvette cougar courtney cowboy cowboys
  crazy creative cricket crystal cumshot cunt daddy dakota dallas dancer danger daniel danielle darkness darkside darkstar dave
  david dbrnjhbz death debbie december defender denise dennis denver design destiny detroit devils dexter diablo diamond dick
  dickhead diesel digger digital dilbert disney doctor dodgers doggie dolphin dolphins domino donald donkey douglas dragon
  dreamer dreams driver drowssap drummer ducati dude duke duncan dustin eagle eagles eatme eclipse edward einstein elaine
  electric elephant elizabet elvis eminem empire engineer england enigma enter eric eugene everton explorer extreme falcon
  family fantasy fender ferrari fire fireball firebird fireman fish fisher fishing fktrcfylh flash florida flower flowers
  fluffy flyers football ford forest forever france francis frank frankie franklin fred freddie freddy free freedom freepass
  freeuser friday friend friends froggy fuck fucker fucking fuckit fuckme fuckoff fuckyou future fyfcnfcbz fylhtq gabriel
  galina galore gandalf garcia garfield gateway gators gemini general genesis genius george georgia gfhjkm ghbdtn giants gibson
  ginger girl girls goblue godzilla golden goldfish golf golfer goober good google gordon gracie green greenday gregory
  guinness guitar gundam gunner hacker hammer hannah happy hard hardcore hardon harley harrison harvey hawaii hawkeye heather
  heaven hellfire hello helpme hendrix hentai hercules herman hiphop hitman hobbes hockey holiday homer honda honey hooters
  horney horny horse horses hotdog hotrod house houston howard hummer hunter icecream iceman iloveyou indian infinity internet
  ireland ironman iwantu jack jackass jackie jackson jaguar jake james jasmine jason jasper jeff jeffrey jennifer jenny jeremy
  jerry jessica jessie jester jesus jimmy john johnny johnson jonathan jones jordan joseph joshua julian junior jupiter justice
  justin juventus karina katana kawasaki kelly kenneth kermit kevin killer kimberly king kirill kitten kitty klaster knight
  kodiak kramer kristen kristina lacrosse lakers lasvegas laura lauren lawrence leather legend lennon leslie letmein liberty
  lickme lifehack light lights lincoln lisa little liverpoo liverpool lizard logitech london longhorn looking louise love
  lovelove lovely loveme lover loverboy lovers loveyou lucifer lucky machine maddog madison madman madmax madonna maggie magic
  magnum maksim manager manutd marcus maria marina marine marines mark marlboro marley marshall martin marvin maryjane master
  matrix matt matthew maverick maxima maximus maxwell melanie melissa member mercedes mercury merlin metallic metallica mexico
  michael michele michelle michigan mickey microsoft midnight mike miller mine minecraft miranda mitchell molly monday money
  monica monkey monster montana mookie morgan morris mother motorola mountain mouse mozart muffin murphy music mustang naruto
  nascar nastya natali natalie natasha nathan naughty nelson nemesis newport newyork nfnmzyf nicholas nicole nigger nikita
  nintendo nipples nirvana nissan norman norton nothing november october oksana oliver olivia online orange orlando oscar
  outlaw packard packers pakistan pamela pandora pantera panther panthers panties panzer paradise paris parker pass passion
  passport password patches patricia patrick patriots paul pavilion peaches peanut pearljam peekaboo pegasus penguin penis
  people pepper perfect pervert peter phantom philip phoenix phpbb picard pickle pimp pimpin pirate platinum playboy player
  please pokemon police polina pontiac poohbear pookie poop poopoo popcorn popeye porn porno porsche power precious predator
  presario pretty prince princess private psycho pumpkin purple pussy pussycat pyramid qazwsx qazwsxedc qazxsw qwaszx qweasd
  qweasdzxc qweqwe qwert qwerty qwertyu qwertyui qwertyuiop rabbit rachel racing raider raiders rainbow ranger rangers raptor
  rascal raven raymond razz rebecca reddog redhead redrum redskins redsox redwings reggie remember richard robbie robert rock
  rocket rocks rockstar rocky roland rolltide ronald ronaldo rooster roscoe rosebud rulez runner ruslan russell russia sabrina
  sailor saints samantha sammy samson samsung samuel sandman sandra sandy sarah sasha saturn savage scarface school scooby
  scooter scorpio scorpion scotland scott scotty secret security semperfi serega serenity sergey service sexsex sexy shadow
  shaggy shannon sharon shelby shit shithead shorty sierra silver simon simone simple simpson simpsons skipper skippy skyline
  slayer slipknot slut smith smokey smooth snickers sniper snoopy snowball snowman soccer softball sophie spanky sparky speedy
  spencer spider spiderma spiderman spike spirit spitfire spooky sports spring stalker stanley star stargate startrek starwars
  steelers stefan stella stephen sterling steve steven stewart stingray stinky strike stupid sublime success sucker suckit
  suckme summer sunset sunshine super superman surfer suzuki svetlana sweet swimming swordfis swordfish sydney system tanner
  target tarheels tattoo taurus taylor teens tennis teresa test tester testing thailand theman theone therock thomas thumper
  thunder tiffany tiger tigers tigger time timothy tinker titanic tits tomcat tommy topgun tornado toyota travis trevor trinity
  trooper trouble trucks tucker turkey turtle tweety united vagina valentin vampire vanessa vegeta veronica vfhbyf vfrcbv
  victor victoria victory viking vikings viktor vincent viper virginia vision vladimir voodoo voyager walker wallace walter
  wanker warcraft warrior water weasel welcome westside whatever white whynot wildcat wildcats william williams willie willow
  wilson windows winner winston winter wizard wolf wolfpack wolverin wolves wombat wrangler wutang xavier yamaha yankee yankees
  yellow yfnfif zachary zeppelin zombie zxcvbn zxcvbnm
`);
